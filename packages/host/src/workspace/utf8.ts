/** The first and last legal value of the byte after a lead byte, and how many bytes follow it. */
interface Lead {
  readonly more: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The offset of the first byte that is not part of a whole UTF-8 character; the length when there is
 * none.
 */
export function invalidUtf8At(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const size = characterSize(bytes, at);
    if (size === 0) return at;
    at += size;
  }
  return at;
}

/** 0: no character begins here. */
function characterSize(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const lead = toLead(first);
  if (lead === undefined) return 0;
  for (let offset = 1; offset <= lead.more; offset++) {
    const [low, high] = offset === 1 ? [lead.low, lead.high] : [0x80, 0xbf];
    const byte = bytes[at + offset];
    if (byte === undefined || byte < low || byte > high) return 0;
  }
  return lead.more + 1;
}

/** Overlong forms, surrogates and values beyond Unicode are excluded by the second byte. */
function toLead(byte: number): Lead | undefined {
  if (byte >= 0xc2 && byte <= 0xdf) return { more: 1, low: 0x80, high: 0xbf };
  if (byte >= 0xe0 && byte <= 0xef) {
    return { more: 2, low: byte === 0xe0 ? 0xa0 : 0x80, high: byte === 0xed ? 0x9f : 0xbf };
  }
  if (byte >= 0xf0 && byte <= 0xf4) {
    return { more: 3, low: byte === 0xf0 ? 0x90 : 0x80, high: byte === 0xf4 ? 0x8f : 0xbf };
  }
  return undefined;
}
