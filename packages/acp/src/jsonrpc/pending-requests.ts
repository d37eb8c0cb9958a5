/** A request that waits for its answer. Exactly one of the first two is called, once. */
export interface PendingRequest<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
  /** Ends what watches the request, when it is settled. */
  stopWatching: (() => void) | undefined;
}

/** How many slots there are at first; a power of two. */
const SLOTS_MIN = 16;

/**
 * Own requests that wait for an answer: gives ids, and gives each entry out once.
 *
 * An entry stands in the slot that the lowest bits of its id name, and only ids are given whose slot is free.
 * So nothing is hashed, and nothing is left behind of entries that are gone: a Map that keeps changing drops
 * tables which hold on to each other until the next full collection.
 */
export class PendingRequests<T> {
  #entries = new Array<PendingRequest<T> | undefined>(SLOTS_MIN).fill(undefined);
  /** The id of each entry. */
  #ids = new Array<number>(SLOTS_MIN).fill(-1);
  #size = 0;
  #lastId = -1;

  get size(): number {
    return this.#size;
  }

  add(entry: PendingRequest<T>): number {
    // With half of the slots free one is found soon.
    if (this.#size * 2 >= this.#entries.length) this.#grow();
    do this.#lastId++;
    while (this.#entries[this.#slot(this.#lastId)] !== undefined);
    this.#put(this.#lastId, entry);
    this.#size++;
    return this.#lastId;
  }

  /**
   * Takes the entry out to be settled; undefined if there is none (unknown, or answered before). An id that
   * comes back as a string is taken for its number: it breaks R-FRM-11, but else the caller would wait for ever.
   */
  take(idOrText: unknown): PendingRequest<T> | undefined {
    const id = typeof idOrText === 'string' ? toId(idOrText) : idOrText;
    if (typeof id !== 'number') return undefined;
    const slot = this.#slot(id);
    const entry = this.#ids[slot] === id ? this.#entries[slot] : undefined;
    if (entry === undefined) return undefined;
    this.#entries[slot] = undefined;
    this.#size--;
    entry.stopWatching?.();
    return entry;
  }

  /** Rejects all, the oldest first. */
  rejectAll(error: Error): void {
    for (const id of [...this.#ids].sort((a, b) => a - b)) this.take(id)?.reject(error);
  }

  #slot(id: number): number {
    return id & (this.#entries.length - 1);
  }

  #put(id: number, entry: PendingRequest<T> | undefined): void {
    const slot = this.#slot(id);
    this.#entries[slot] = entry;
    this.#ids[slot] = id;
  }

  /** Ids that stand in different slots do so as well when there are twice as many. */
  #grow(): void {
    const [entries, ids] = [this.#entries, this.#ids];
    this.#entries = new Array<PendingRequest<T> | undefined>(2 * ids.length).fill(undefined);
    this.#ids = new Array<number>(2 * ids.length).fill(-1);
    for (const [slot, id] of ids.entries())
      if (entries[slot] !== undefined) this.#put(id, entries[slot]);
  }
}

/** The number that a text spells as we do. */
function toId(text: string): number | undefined {
  const id = Number(text);
  return String(id) === text ? id : undefined;
}
