import { utf8SizeAt } from '@signalbox/acp';

export { utf8Length } from '@signalbox/acp';

/** A part of a text, by its UTF-8 bytes. */
export interface TextSlice {
  readonly text: string;
  /** Where it begins; before the offset that was asked for if that lies within a character. */
  readonly offset: number;
  /** Where the next part begins. The text ends here when it is its length. */
  readonly nextOffset: number;
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
    const size = utf8SizeAt(text, at);
    if (bytes + size > offset) break;
    bytes += size;
    at += size === 4 ? 2 : 1;
  }
  const [start, from] = [at, bytes];
  while (at < text.length) {
    const size = utf8SizeAt(text, at);
    if (bytes + size > from + length && at > start) break;
    bytes += size;
    at += size === 4 ? 2 : 1;
  }
  return { text: text.slice(start, at), offset: from, nextOffset: bytes };
}
