import { decodeEvent, type SessionEvent, type StoredEntry } from '@signalbox/core';
import type { Session } from '@signalbox/host';

/** Follows a session's log for an output, and tells when a place in it has been reached. */
export class Follower {
  readonly #session: Session;
  #seq = 0;
  #waiting: { readonly seq: number; readonly resolve: () => void }[] = [];

  constructor(session: Session) {
    this.#session = session;
  }

  /** Gives every event after `afterSeq` to `onEvent`, one after the other, until `signal` aborts. */
  async follow(
    afterSeq: number,
    signal: AbortSignal,
    onEvent: (event: SessionEvent, entry: StoredEntry) => void | Promise<void>,
  ): Promise<void> {
    this.#seq = afterSeq;
    for await (const entries of this.#session.follow(afterSeq, signal)) {
      for (const entry of entries) {
        await onEvent(decodeEvent(entry.body), entry);
        this.#reach(entry.seq);
      }
    }
  }

  /** Resolves when the event with this number was given out. */
  async whenReached(seq: number): Promise<void> {
    if (this.#seq >= seq) return;
    await new Promise<void>((resolve) => this.#waiting.push({ seq, resolve }));
  }

  #reach(seq: number): void {
    this.#seq = seq;
    const due = this.#waiting.filter((waiter) => waiter.seq <= seq);
    this.#waiting = this.#waiting.filter((waiter) => waiter.seq > seq);
    for (const { resolve } of due) resolve();
  }
}
