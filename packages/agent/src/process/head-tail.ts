/** Output with its middle left out. */
export interface BoundedOutput {
  readonly text: string;
  /** Bytes left out of the middle. */
  readonly omittedBytes: number;
}

/**
 * Keeps the beginning and the end of an output of any length: the beginning says what ran, the end how
 * it went.
 */
export class HeadTail {
  readonly #halfBytesMax: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #omittedBytes = 0;

  /** @param bytesMax how much is kept in all. */
  constructor(bytesMax: number) {
    this.#halfBytesMax = Math.floor(bytesMax / 2);
  }

  push(chunk: Buffer): void {
    const room = this.#halfBytesMax - this.#headBytes;
    if (room > 0) {
      const start = chunk.subarray(0, room);
      this.#head.push(start);
      this.#headBytes += start.length;
    }
    if (chunk.length <= room) return;
    const rest = chunk.subarray(Math.max(room, 0));
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    this.#shrinkTail();
  }

  /** What is kept. A character that was cut in two is shown as a replacement character. */
  read(): BoundedOutput {
    const head = Buffer.concat(this.#head).toString('utf8');
    const tail = Buffer.concat(this.#tail).toString('utf8');
    if (this.#omittedBytes === 0) {
      // Joined as bytes, because a character may lie across the two halves.
      const whole = Buffer.concat([...this.#head, ...this.#tail]).toString('utf8');
      return { text: whole, omittedBytes: 0 };
    }
    const gap = `\n[${this.#omittedBytes} bytes left out]\n`;
    return { text: head + gap + tail, omittedBytes: this.#omittedBytes };
  }

  #shrinkTail(): void {
    while (this.#tailBytes > this.#halfBytesMax) {
      const first = this.#tail[0];
      if (first === undefined) return;
      const excess = this.#tailBytes - this.#halfBytesMax;
      const dropped = Math.min(excess, first.length);
      if (dropped === first.length) this.#tail.shift();
      else this.#tail[0] = first.subarray(dropped);
      this.#tailBytes -= dropped;
      this.#omittedBytes += dropped;
    }
  }
}
