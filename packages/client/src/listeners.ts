/** Who wants to hear of something. A listener that throws is reported and harms nobody else. */
export class Listeners<Event> {
  readonly #listeners = new Set<{ readonly listen: (event: Event) => void }>();
  readonly #onThrown: (error: unknown, event: Event) => void;

  /** @param onThrown what to do about an error of a listener; must not throw. */
  constructor(onThrown: (error: unknown, event: Event) => void) {
    this.#onThrown = onThrown;
  }

  /** Adds a listener; the same function may be added twice. @returns a function that removes it. */
  add(listen: (event: Event) => void): () => void {
    const entry = { listen };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** Tells all listeners in the order in which they were added; those added meanwhile are not told. */
  emit(event: Event): void {
    for (const entry of [...this.#listeners]) {
      // An earlier listener may have removed it.
      if (!this.#listeners.has(entry)) continue;
      try {
        entry.listen(event);
      } catch (error) {
        this.#onThrown(error, event);
      }
    }
  }
}
