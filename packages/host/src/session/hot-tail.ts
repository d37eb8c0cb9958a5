import type { StoredEntry } from '@signalbox/core';

/** How much of the newest part of a log stays in memory, in characters. */
const KEPT_LENGTH = 256 * 1024;

/**
 * The newest events of one log, shared by everybody who follows it, so that followers who keep up
 * never read the store. Bounded by size; whoever is further behind reads the journal.
 */
export class HotTail {
  #entries: StoredEntry[] = [];
  #length = 0;
  readonly #waiting = new Set<() => void>();
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
    while (this.#length > KEPT_LENGTH && dropped < this.#entries.length) {
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

  /** Resolves when the head has moved past `seq` or the tail is closed. */
  async whenPast(seq: number, signal?: AbortSignal): Promise<void> {
    while (this.#headSeq <= seq && !this.#isClosed && signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal?.addEventListener('abort', wake, { once: true });
      });
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
