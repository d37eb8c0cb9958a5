/** Runs work side by side, up to a number; what comes then waits for its turn, in order. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param count a whole number from 1 on. */
  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` as soon as there is room for it. It must not wait for other work in the same slots. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Handed on without being free in between, so that nobody overtakes.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
