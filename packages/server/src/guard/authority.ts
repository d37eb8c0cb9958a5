/** A host name with the port that stands behind it, from a Host header or an origin. */
export interface Authority {
  /** In lower case; an IPv6 address in brackets. */
  readonly name: string;
  readonly port?: number;
}

const PATTERN = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?$/i;

/** Reads `name`, `name:port`, `[::1]` or `[::1]:port`; undefined for anything else. */
export function parseAuthority(text: string): Authority | undefined {
  const match = PATTERN.exec(text);
  if (match?.[1] === undefined) return undefined;
  const name = match[1].toLowerCase();
  return match[2] === undefined ? { name } : { name, port: Number(match[2]) };
}

/** An address as it stands in a Host header. */
export function toHostName(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  return plain.includes(':') ? `[${plain.toLowerCase()}]` : plain.toLowerCase();
}
