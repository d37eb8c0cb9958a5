import type { StoredEntry } from '@signalbox/core';

/** How much of the newest part of a log stays in memory, in characters. */
const KEPT_LENGTH = 256 * 1024;
/** The newest event stays even if it alone is longer, up to this, so that not each follower has to read it. */
const NEWEST_LENGTH_MAX = 4 * 1024 * 1024;

/**
 * The newest events of one log, shared by everybody who follows it, so that followers who keep up
 * never read the store. Bounded by size; whoever is further behind reads the journal.
 */
export class HotTail {
  #entries: StoredEntry[] = [];
  #length = 0;
  #waiting = new Set<() => void>();
  #isClosed = false;
  #headSeq: number;

  constructor(headSeq: number) {
    this.#headSeq = headSeq;
  }

  get headSeq(): number {
    return this.#headSeq;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  push(entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#length += entry.body.length;
      this.#headSeq = entry.seq;
    }
    let dropped = 0;
    while (this.#length > this.#lengthMax(dropped)) {
      this.#length -= this.#entries[dropped]?.body.length ?? 0;
      dropped++;
    }
    if (dropped > 0) this.#entries = this.#entries.slice(dropped);
    this.#wakeAll();
  }

  /** Events after `seq`, if all of them are still here; undefined if the journal must be asked. */
  after(seq: number): readonly StoredEntry[] | undefined {
    if (seq >= this.#headSeq) return [];
    const first = this.#entries[0];
    if (first === undefined || first.seq > seq + 1) return undefined;
    return this.#entries.slice(seq + 1 - first.seq);
  }

  /** Calls `wake` once: when the head moves next, or the tail is closed. */
  onNextMove(wake: () => void): void {
    this.#waiting.add(wake);
  }

  /** Calls it no more. */
  offNextMove(wake: () => void): void {
    this.#waiting.delete(wake);
  }

  close(): void {
    this.#isClosed = true;
    this.#wakeAll();
  }

  /** How long what is left may be when so many of the oldest are gone. */
  #lengthMax(dropped: number): number {
    return dropped === this.#entries.length - 1 ? NEWEST_LENGTH_MAX : KEPT_LENGTH;
  }

  #wakeAll(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const wake of waiting) wake();
  }
}
