/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  /** A whole number from 0 to below `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** From `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True in this part of the cases. */
  chance(part: number): boolean {
    return this.next() < part;
  }

  /** One of these. */
  pick<T>(items: readonly [T, ...(readonly T[])]): T {
    return items[this.below(items.length)] ?? items[0];
  }

  /** Numbers of its own, which do not depend on how many are taken here later. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32));
  }
}
