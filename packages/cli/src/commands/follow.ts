import { decodeEvent, type SessionEvent, type StoredEntry } from '@signalbox/core';
import type { Session } from '@signalbox/host';
import { Reached } from './reached.ts';

/** Follows a session's log for an output, and tells when a place in it has been reached. */
export class Follower {
  readonly #session: Session;
  readonly #reached = new Reached();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Gives every event after `afterSeq` to `onEvent`, one after the other, until `signal` aborts. */
  async follow(
    afterSeq: number,
    signal: AbortSignal,
    onEvent: (event: SessionEvent, entry: StoredEntry) => void | Promise<void>,
  ): Promise<void> {
    this.#reached.reach(afterSeq);
    for await (const entries of this.#session.follow(afterSeq, signal)) {
      for (const entry of entries) {
        await onEvent(decodeEvent(entry.body), entry);
        this.#reached.reach(entry.seq);
      }
    }
  }

  /** Resolves when the event with this number was given out. */
  whenReached(seq: number): Promise<void> {
    return this.#reached.whenReached(seq);
  }
}
