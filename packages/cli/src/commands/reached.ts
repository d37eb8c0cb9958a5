/** How far a log has been shown, and who waits for a place in it. */
export class Reached {
  #seq = 0;
  #waiting: { readonly seq: number; readonly resolve: () => void }[] = [];

  /** The number of the last event that was shown; 0 before the first. */
  get seq(): number {
    return this.#seq;
  }

  /** Everything up to this event was shown. */
  reach(seq: number): void {
    this.#seq = seq;
    const due = this.#waiting.filter((waiter) => waiter.seq <= seq);
    this.#waiting = this.#waiting.filter((waiter) => waiter.seq > seq);
    for (const { resolve } of due) resolve();
  }

  /** Resolves when the event with this number was shown. */
  async whenReached(seq: number): Promise<void> {
    if (this.#seq >= seq) return;
    await new Promise<void>((resolve) => this.#waiting.push({ seq, resolve }));
  }
}
