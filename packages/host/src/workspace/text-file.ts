import { isUtf8 } from 'node:buffer';
import { FileProblem } from './problem.ts';
import { invalidUtf8At } from './utf8.ts';

/** The largest file that is read or written, in bytes. */
export const FILE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The text of a file, exactly: line ends, byte-order mark and a missing final newline stay as they are,
 * so that writing the text again gives the same bytes (B92, B93).
 *
 * @throws FileProblem `not_text` naming the byte where it stops being UTF-8. Nothing is ever replaced,
 * because the replacement would be written back.
 */
export function decodeText(bytes: Buffer, path: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const details = { encoding: utf16Mark(bytes) ?? 'unknown', byteOffset: invalidUtf8At(bytes) };
  const what =
    details.encoding === 'unknown'
      ? `is not UTF-8 text: byte ${details.byteOffset} cannot be decoded`
      : `is ${details.encoding} by its byte-order mark; only UTF-8 text can be read`;
  throw new FileProblem('not_text', path, `${path} ${what}`, { details });
}

/**
 * The bytes of a text, exactly.
 *
 * @throws FileProblem `params_invalid` when it holds half a surrogate pair, which has no bytes;
 * `too_large`.
 */
export function encodeText(content: string, path: string, bytesMax: number): Buffer {
  if (!content.isWellFormed()) {
    const message = 'The content holds half of a surrogate pair, which cannot be written as UTF-8';
    throw new FileProblem('params_invalid', path, message);
  }
  const size = Buffer.byteLength(content);
  if (size > bytesMax) {
    const message = `The content has ${size} bytes; at most ${bytesMax} can be written`;
    throw new FileProblem('too_large', path, message, { details: { size, bytesMax } });
  }
  return Buffer.from(content, 'utf8');
}

/** Which lines of a text are asked for. Absent and null mean from the first, and all. */
export interface LineWindow {
  /** Counted from 1. 0 means 1. */
  readonly line?: number | null | undefined;
  /** The most lines to return. 0 gives the empty text. */
  readonly limit?: number | null | undefined;
}

/**
 * The part of a text that a window shows, as an exact substring with its line ends: windows that follow
 * each other give the whole text. A line ends with a line feed, or with the end of the text; what
 * follows the last line feed is a line only if it is not empty. Beyond the end there is the empty text.
 *
 * @throws FileProblem `params_invalid` for a negative or fractional number.
 */
export function sliceLines(text: string, { line, limit }: LineWindow, path: string): string {
  const skipped = Math.max(toCount(line ?? 1, 'line', path) - 1, 0);
  const wanted = toCount(limit ?? Number.MAX_SAFE_INTEGER, 'limit', path);
  const start = afterLines(text, 0, skipped);
  return text.slice(start, afterLines(text, start, wanted));
}

/** The index behind so many lines, at most the end of the text. */
function afterLines(text: string, from: number, count: number): number {
  let index = from;
  for (let left = count; left > 0 && index < text.length; left--) {
    const end = text.indexOf('\n', index);
    if (end === -1) return text.length;
    index = end + 1;
  }
  return index;
}

function toCount(value: number, name: 'line' | 'limit', path: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  const message = `"${name}" must be a whole number, 0 or more, but is ${value}`;
  throw new FileProblem('params_invalid', path, message, { details: { param: name } });
}

function utf16Mark(bytes: Buffer): 'UTF-16LE' | 'UTF-16BE' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'UTF-16BE' : undefined;
}
