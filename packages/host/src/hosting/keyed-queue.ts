/** Runs work on one key at a time, in the order of the calls; work on different keys runs side by side. */
export class KeyedQueue<Key> {
  /** The last work on each key that has work. Never rejects. */
  readonly #last = new Map<Key, Promise<void>>();

  /** Keys with work that has not ended. */
  get keys(): Key[] {
    return [...this.#last.keys()];
  }

  /** Runs `work` when all earlier work on the key has ended, however that ended. */
  run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const done: Promise<void> = result.then(
      () => this.#done(key, done),
      () => this.#done(key, done),
    );
    this.#last.set(key, done);
    return result;
  }

  #done(key: Key, done: Promise<void>): void {
    if (this.#last.get(key) === done) this.#last.delete(key);
  }
}
