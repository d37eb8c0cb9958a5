/** Large enough to hold many small writes, small enough not to be waste in an idle terminal. */
const BLOCK_BYTES = 16 * 1024;

/**
 * Keeps the newest bytes of a command's output, up to a limit. Its memory is bounded by the limit and
 * two blocks, however much is appended and in however small pieces.
 */
export class OutputBuffer {
  readonly #bytesMax: number;
  readonly #blocks: Buffer[] = [];
  /** Bytes used of the last block; the others are full. */
  #used = 0;
  #total = 0;

  /** @param bytesMax how many bytes are kept; 0 keeps nothing. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** How many bytes the command has written. */
  get totalBytes(): number {
    return this.#total;
  }

  /** Whether the beginning was dropped. */
  get isTruncated(): boolean {
    return this.#total > this.#bytesMax;
  }

  append(chunk: Uint8Array): void {
    this.#total += chunk.length;
    // Of a piece that is larger than everything that is kept, the beginning need not be copied.
    let rest = chunk.subarray(Math.max(chunk.length - this.#bytesMax, 0));
    while (rest.length > 0) {
      const block = this.#openBlock();
      const part = rest.subarray(0, block.length - this.#used);
      block.set(part, this.#used);
      this.#used += part.length;
      rest = rest.subarray(part.length);
    }
    this.#dropOld();
  }

  /**
   * What is kept, beginning at the border of a character. Bytes that are no UTF-8 are shown as U+FFFD;
   * they count as the bytes that they are.
   *
   * @param isComplete whether nothing more will come; before that, a character whose end is still
   * missing is held back.
   */
  text(isComplete: boolean): string {
    const kept = this.bytes();
    const start = this.isTruncated ? characterStart(kept) : 0;
    const end = isComplete ? kept.length : wholeCharactersEnd(kept);
    return kept.toString('utf8', start, Math.max(start, end));
  }

  /** The newest bytes, at most the limit, as the command wrote them. */
  bytes(): Buffer {
    const all = Buffer.concat(this.#blocks, this.#held);
    return all.subarray(Math.max(all.length - this.#bytesMax, 0));
  }

  get #held(): number {
    return this.#blocks.length === 0 ? 0 : (this.#blocks.length - 1) * BLOCK_BYTES + this.#used;
  }

  #openBlock(): Buffer {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used < last.length) return last;
    const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#blocks.push(block);
    this.#used = 0;
    return block;
  }

  #dropOld(): void {
    while (this.#blocks.length > 1 && this.#held - BLOCK_BYTES >= this.#bytesMax) {
      this.#blocks.shift();
    }
  }
}

/** The longest character has four bytes, so at most three belong to one that was cut. */
function characterStart(bytes: Uint8Array): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return start;
}

/** Where the characters end that are there completely. */
function wholeCharactersEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back];
    if (isContinuation(byte)) continue;
    return characterLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function characterLength(lead = 0): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
