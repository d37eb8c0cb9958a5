/** A part of a text, by its UTF-8 bytes. */
export interface TextSlice {
  readonly text: string;
  /** Where it begins; before the offset that was asked for if that lies within a character. */
  readonly offset: number;
  /** Where the next part begins. The text ends here when it is its length. */
  readonly nextOffset: number;
}

/** How many bytes a text has in UTF-8. Half a surrogate pair counts as the replacement character does. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const size = bytesAt(text, at);
    bytes += size;
    at += size === 4 ? 2 : 1;
  }
  return bytes;
}

/**
 * The part of a text that begins at UTF-8 byte `offset`, of at most `length` bytes. Characters stay whole,
 * and there is always at least one as long as there is any left, so that a reader gets to the end.
 * Takes time in proportion to `offset + length`.
 *
 * @param offset in bytes, from 0; behind the end the part is empty.
 */
export function sliceUtf8(text: string, offset: number, length: number): TextSlice {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const size = bytesAt(text, at);
    if (bytes + size > offset) break;
    bytes += size;
    at += size === 4 ? 2 : 1;
  }
  const [start, from] = [at, bytes];
  while (at < text.length) {
    const size = bytesAt(text, at);
    if (bytes + size > from + length && at > start) break;
    bytes += size;
    at += size === 4 ? 2 : 1;
  }
  return { text: text.slice(start, at), offset: from, nextOffset: bytes };
}

/** The bytes of the character at a place. Only one of 4 bytes has two UTF-16 units. */
function bytesAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (unit < 0xd800 || unit > 0xdbff) return 3;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 4 : 3;
}
