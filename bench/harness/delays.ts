/** Delays in ms. Both ends read the same monotonic clock of the machine. */
export class Delays {
  #delays: number[] = [];

  /** @param sentAt what `process.hrtime.bigint()` gave where it was sent. */
  addSince(sentAt: string): void {
    this.#delays.push(Number(process.hrtime.bigint() - BigInt(sentAt)) / 1e6);
  }

  add(delayMs: number): void {
    this.#delays.push(delayMs);
  }

  clear(): void {
    this.#delays = [];
  }

  get count(): number {
    return this.#delays.length;
  }

  figures(): Record<string, number> {
    const sorted = this.#delays.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
    return { 'p50 ms': at(0.5), 'p99 ms': at(0.99) };
  }
}
