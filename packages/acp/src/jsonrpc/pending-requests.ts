/** A request that waits for its answer. Exactly one of the first two is called, once. */
export interface PendingRequest<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
  /** Ends what watches the request, when it is settled. */
  stopWatching: (() => void) | undefined;
}

/** Own requests that wait for an answer: gives ids, and gives each entry out once. */
export class PendingRequests<T> {
  /**
   * No Map: the tables that V8 drops while a Map keeps changing hold on to each other, and to the
   * entries that were in them, until the next full collection.
   */
  readonly #entries: Record<number, PendingRequest<T>> = {};
  #size = 0;
  #lastId = -1;

  get size(): number {
    return this.#size;
  }

  add(entry: PendingRequest<T>): number {
    const id = ++this.#lastId;
    this.#entries[id] = entry;
    this.#size++;
    return id;
  }

  /** Takes the entry out to be settled; undefined if there is none (unknown, or answered before). */
  take(id: unknown): PendingRequest<T> | undefined {
    if (typeof id !== 'number') return undefined;
    const entry = this.#entries[id];
    if (entry === undefined) return undefined;
    delete this.#entries[id];
    this.#size--;
    entry.stopWatching?.();
    return entry;
  }

  rejectAll(error: Error): void {
    for (const id of Object.keys(this.#entries)) this.take(Number(id))?.reject(error);
  }
}
