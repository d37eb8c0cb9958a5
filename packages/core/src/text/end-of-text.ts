import { detached } from './detached.ts';
import { utf8Length } from './utf8.ts';

/** The end of a text, by its UTF-8 bytes. */
export interface TextEnd {
  readonly text: string;
  /** How many bytes it has. */
  readonly bytes: number;
  /** How many bytes are before it. */
  readonly leftOut: number;
}

/**
 * The end of a text, of at most `bytesMax` bytes. Characters stay whole. It does not keep the rest of the text in
 * memory.
 */
export function endOfText(text: string, bytesMax: number): TextEnd {
  let bytes = 0;
  let start = text.length;
  while (start > 0) {
    const isPair = isLow(text, start - 1) && isHigh(text, start - 2);
    const size = isPair ? 4 : bytesOf(text.charCodeAt(start - 1));
    if (bytes + size > bytesMax) break;
    bytes += size;
    start -= isPair ? 2 : 1;
  }
  if (start === 0) return { text, bytes, leftOut: 0 };
  return { text: detached(text.slice(start)), bytes, leftOut: utf8Length(text.slice(0, start)) };
}

/** Half a pair counts as the replacement character does. */
function bytesOf(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}

function isHigh(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
