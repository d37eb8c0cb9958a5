import { toHostName } from '../guard/authority.ts';

/** What decides how browsers reach a server. */
export interface Reach {
  readonly host: string;
  readonly port: number;
  readonly hasTls: boolean;
  readonly isBehindProxy: boolean;
  /** Configured names. */
  readonly names: readonly string[];
}

/** Addresses that stand for all of a machine. */
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Under which addresses browsers reach a server, those of configured names first. */
export function toBrowserUrls({ host, port, hasTls, isBehindProxy, names }: Reach): string[] {
  const scheme = hasTls ? 'https' : 'http';
  const own = WILDCARDS.has(host) ? '127.0.0.1' : toHostName(host);
  const named = names.map((name) => {
    if (isBehindProxy) return `https://${name}/`;
    return hasPort(name) ? `${scheme}://${name}/` : `${scheme}://${name}:${port}/`;
  });
  return [...named, `${scheme}://${own}:${port}/`];
}

function hasPort(name: string): boolean {
  return /:\d+$/.test(name);
}
