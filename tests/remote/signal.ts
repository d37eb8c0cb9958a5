/** Wakes who waits for news; news that nobody waited for are kept for the next one who does. */
export class Signal {
  #hasNews = false;
  #wake: (() => void) | undefined;

  /** There are news. */
  give(): void {
    this.#hasNews = true;
    this.#wake?.();
  }

  /** Resolves when there are news since the last call. */
  async next(): Promise<void> {
    if (!this.#hasNews) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = undefined;
    this.#hasNews = false;
  }
}
