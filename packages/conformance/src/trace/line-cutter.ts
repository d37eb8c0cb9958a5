const LF = 10;

/** One line without its line feed. */
export interface CutLine {
  readonly bytes: Uint8Array;
  /** False for what stood behind the last line feed when the stream ended. */
  readonly isWhole: boolean;
}

/**
 * Cuts a byte stream into lines at LF alone. Nothing is decoded before a line is whole, so a character
 * that is spread over two reads stays intact.
 */
export class LineCutter {
  #parts: Uint8Array[] = [];

  /** The lines that this piece of the stream completes. */
  push(chunk: Uint8Array): CutLine[] {
    const lines: CutLine[] = [];
    let start = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, start)) {
      lines.push({ bytes: this.#take(chunk.subarray(start, at)), isWhole: true });
      start = at + 1;
    }
    // The stream may reuse its buffer, so what waits for the rest of its line is copied.
    if (start < chunk.length) this.#parts.push(chunk.slice(start));
    return lines;
  }

  /** What is left when the stream ends, if anything. */
  end(): CutLine | undefined {
    return this.#parts.length === 0
      ? undefined
      : { bytes: this.#take(new Uint8Array(0)), isWhole: false };
  }

  #take(last: Uint8Array): Uint8Array {
    const bytes = Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    return bytes;
  }
}
