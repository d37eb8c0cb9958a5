import type { SessionId, SessionState } from '@signalbox/core';
import { toListChange, type ListChange, type SessionList } from './session-list.ts';

/** A session's line that is being written, and what it will say next. */
interface Writing {
  next: ListChange | undefined;
  done: Promise<void>;
}

/**
 * Keeps the list of sessions up to date while sessions change: one write at a time for each session,
 * and what changes meanwhile goes into the next. The list is derived from the logs, so a write that
 * fails holds up nobody.
 */
export class ListWriter {
  readonly #list: SessionList;
  readonly #onFailed: (sessionId: SessionId, error: unknown) => void;
  readonly #writing = new Map<SessionId, Writing>();

  constructor(list: SessionList, onFailed: (sessionId: SessionId, error: unknown) => void) {
    this.#list = list;
    this.#onFailed = onFailed;
  }

  /** Notes what the list is to say of a session. */
  note(state: SessionState, now: number): void {
    const change = toListChange(state, now);
    if (change === undefined) return;
    const { sessionId } = change;
    const writing = this.#writing.get(sessionId);
    if (writing !== undefined) {
      // The title stands in one change only, which must not be lost.
      writing.next = { ...change, title: change.title ?? writing.next?.title };
      return;
    }
    const started: Writing = { next: change, done: Promise.resolve() };
    this.#writing.set(sessionId, started);
    started.done = this.#write(sessionId, started);
  }

  /** Resolves when everything noted of any session is written or has failed. */
  async whenAllWritten(): Promise<void> {
    await Promise.all([...this.#writing.values()].map(({ done }) => done));
  }

  /** Resolves when everything noted of the session is written or has failed. */
  async whenWritten(sessionId: SessionId): Promise<void> {
    await this.#writing.get(sessionId)?.done;
  }

  async #write(sessionId: SessionId, writing: Writing): Promise<void> {
    try {
      while (writing.next !== undefined) {
        const change = writing.next;
        writing.next = undefined;
        await this.#list.put(change);
      }
    } catch (error) {
      this.#onFailed(sessionId, error);
    } finally {
      this.#writing.delete(sessionId);
    }
  }
}
