import { isUtf8 } from 'node:buffer';
import type { Frame } from '../jsonrpc/transport.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = 0xfeff;
/** How much of a line over the limit is kept to tell its sender about it. */
const OVERSIZED_HEAD_BYTES = 4096;
/** How much of a line that is not UTF-8 is kept. */
const UNDECODABLE_HEAD_BYTES = 200;
/** A buffer for the beginning of a line is kept for the next one up to this size. */
const PARTIAL_BYTES_KEPT = 64 * 1024;

/**
 * Splits a byte stream into lines. It looks for the line feed in the bytes, so it does not matter
 * where reads begin and end, and decodes all whole lines of a read at once.
 */
export class LineSplitter {
  readonly #bytesMax: number;
  /** No more than is there for certain when the limit is met, so that reads make no difference. */
  readonly #headBytes: number;
  /** Holds the beginning of a line whose end has not arrived: the first `#partialBytes` bytes. */
  #partial = Buffer.alloc(0);
  #partialBytes = 0;
  /** Set while the rest of a line over the limit is skipped. */
  #oversized: { head: string; length: number } | undefined;

  /** @param bytesMax the longest line, in bytes. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#headBytes = Math.min(bytesMax, OVERSIZED_HEAD_BYTES);
  }

  /** Takes one read and gives the lines that are complete now. Empty lines are left out. */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    const last = chunk.lastIndexOf(LINE_FEED);
    let start = 0;
    if (last >= 0 && this.#isWithinLine) {
      // Only the first line of a read can belong to what was carried over.
      start = chunk.indexOf(LINE_FEED) + 1;
      this.#keep(chunk.subarray(0, start - 1));
      this.#endPartial(frames);
    }
    if (start < last) this.#split(chunk.subarray(start, last), frames);
    const rest = Math.max(start, last + 1);
    if (rest < chunk.length) this.#keep(rest === 0 ? chunk : chunk.subarray(rest));
    return frames;
  }

  /** The stream has ended: gives the last line if it had no line feed. */
  end(): Frame[] {
    const frames: Frame[] = [];
    if (this.#isWithinLine) this.#endPartial(frames);
    return frames;
  }

  get #isWithinLine(): boolean {
    return this.#partialBytes > 0 || this.#oversized !== undefined;
  }

  #keep(bytes: Buffer): void {
    if (this.#oversized !== undefined) {
      this.#oversized.length += bytes.length;
      return;
    }
    const length = this.#partialBytes + bytes.length;
    if (length > this.#bytesMax) {
      const line = [this.#partial.subarray(0, this.#partialBytes), bytes];
      this.#oversized = { head: Buffer.concat(line, this.#headBytes).toString('utf8'), length };
      this.#forgetPartial();
      return;
    }
    if (length > this.#partial.length) {
      // Doubling keeps the copying in proportion to the line, however small the reads are.
      const grown = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#partial.length));
      this.#partial.copy(grown, 0, 0, this.#partialBytes);
      this.#partial = grown;
    }
    bytes.copy(this.#partial, this.#partialBytes);
    this.#partialBytes = length;
  }

  #endPartial(frames: Frame[]): void {
    if (this.#oversized !== undefined) {
      frames.push({ kind: 'oversized', ...this.#oversized });
      this.#oversized = undefined;
      return;
    }
    const line = this.#partial.subarray(0, this.#partialBytes);
    this.#split(line, frames);
    this.#forgetPartial();
  }

  #forgetPartial(): void {
    this.#partialBytes = 0;
    if (this.#partial.length > PARTIAL_BYTES_KEPT) this.#partial = Buffer.alloc(0);
  }

  /** Decodes bytes that hold whole lines, without the last line feed. */
  #split(bytes: Buffer, frames: Frame[]): void {
    const text = bytes.length > this.#bytesMax ? undefined : bytes.toString('utf8');
    // A replacement character may be real text; only then is the slower look at the bytes needed.
    if (text === undefined || (text.includes('\uFFFD') && !isUtf8(bytes))) {
      this.#splitBytes(bytes, frames);
    } else {
      splitText(text, frames);
    }
  }

  /** Looks at each line alone, so that good ones beside bad ones are kept. */
  #splitBytes(bytes: Buffer, frames: Frame[]): void {
    let start = 0;
    while (start <= bytes.length) {
      const found = bytes.indexOf(LINE_FEED, start);
      const end = found < 0 ? bytes.length : found;
      const line = bytes.subarray(start, end);
      if (line.length > this.#bytesMax) {
        const head = line.toString('utf8', 0, this.#headBytes);
        frames.push({ kind: 'oversized', head, length: line.length });
      } else if (isUtf8(line)) {
        splitText(line.toString('utf8'), frames);
      } else {
        const head = line.toString('utf8', 0, UNDECODABLE_HEAD_BYTES);
        frames.push({ kind: 'undecodable', head });
      }
      start = end + 1;
    }
  }
}

function splitText(text: string, frames: Frame[]): void {
  let start = 0;
  for (;;) {
    const found = text.indexOf('\n', start);
    let end = found < 0 ? text.length : found;
    if (text.charCodeAt(end - 1) === CARRIAGE_RETURN) end--;
    if (text.charCodeAt(start) === BYTE_ORDER_MARK) start++;
    if (start < end) frames.push(text.slice(start, end));
    if (found < 0) return;
    start = found + 1;
  }
}
