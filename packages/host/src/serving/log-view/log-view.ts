import { isPeerError, type AgentConnection, type RawJson } from '@signalbox/acp';
import { toCursor, type StoredEntry } from '@signalbox/core';
import type { Session } from '../../session/session.ts';
import { gatherBurst } from '../burst.ts';
import type { SessionView, ViewEnd } from '../session-view.ts';
import { toBatches, type EventBatch } from './event-batch.ts';
import { LogMethod } from './log-method.ts';

/** Makes other messages of entries than the plain ones, for one client. */
export interface EventTailor {
  /**
   * Messages that tell these entries.
   *
   * @param isBehind whether the log has more of them already, so that the last ones may be told with those.
   */
  toBatches(entries: readonly StoredEntry[], isBehind: boolean): Iterable<EventBatch>;
  /** Whether more is gathered before the next message. */
  readonly gathers: boolean;
}

/** What a {@link LogView} works with. */
export interface LogViewParts {
  readonly session: Session;
  readonly connection: AgentConnection;
  /** Undefined: the events exactly as they are stored. */
  readonly tailor: EventTailor | undefined;
  readonly log: (line: string) => void;
}

/** Tells a session by the events of its log, for clients that fold them themselves. */
export class LogView implements SessionView {
  readonly #parts: LogViewParts;
  /** The head of the log when the client attached; undefined once it has been told of that. */
  #headSeq: number | undefined;
  /** Whether nothing has been sent since the client attached. */
  #begins = true;

  constructor(parts: LogViewParts) {
    this.#parts = parts;
  }

  /** The client stands at `seq`, and is told when it has reached the head that there is now. */
  begin(seq: number): void {
    this.#headSeq = this.#parts.session.headSeq;
    this.#tellWhenCaughtUp(seq);
  }

  deliver(
    entries: readonly StoredEntry[],
    pass: (seq: number) => void,
    signal: AbortSignal,
  ): void | Promise<void> {
    const { session, tailor } = this.#parts;
    const isBehind = (entries[entries.length - 1]?.seq ?? 0) < session.headSeq;
    const batches = tailor?.toBatches(entries, isBehind) ?? toBatches(session, entries);
    const sent = this.#sendAll(batches[Symbol.iterator](), pass, signal);
    if (tailor?.gathers !== true || isBehind) return sent;
    return Promise.resolve(sent).then(() => gatherBurst(signal));
  }

  /** Waits only for a client that is slow: many follow a session, and each wait takes turns of its own. */
  #sendAll(
    batches: Iterator<EventBatch>,
    pass: (seq: number) => void,
    signal: AbortSignal,
  ): void | Promise<void> {
    const { session, connection } = this.#parts;
    const passTo = (lastSeq: number): void => {
      pass(lastSeq);
      this.#tellWhenCaughtUp(lastSeq);
    };
    for (let next = batches.next(); next.done !== true; next = batches.next()) {
      if (signal.aborted) return;
      const { params, cursor, lastSeq } = next.value;
      const place = { stream: session.id, cursor, begins: this.#takeBeginning() };
      const room = connection.notifyOther(LogMethod.events, params, place);
      if (room !== undefined) {
        return room.then(() => {
          passTo(lastSeq);
          return this.#sendAll(batches, pass, signal);
        });
      }
      passTo(lastSeq);
    }
  }

  end(reason: ViewEnd): void {
    if (reason === 'left') return;
    this.#notify(LogMethod.ended, { sessionId: this.#parts.session.id, reason });
  }

  #tellWhenCaughtUp(seq: number): void {
    if (this.#headSeq === undefined || seq < this.#headSeq) return;
    this.#headSeq = undefined;
    const { id } = this.#parts.session;
    this.#notify(LogMethod.caughtUp, { sessionId: id, cursor: toCursor(id, seq) });
  }

  /** Whether the next frame is the first one behind the answer to the client's attaching. */
  #takeBeginning(): boolean {
    const begins = this.#begins;
    this.#begins = false;
    return begins;
  }

  #notify(method: string, params: RawJson | object): void {
    const { connection, session, log } = this.#parts;
    const place = { stream: session.id, begins: this.#takeBeginning() };
    try {
      void connection.notifyOther(method, params, place);
    } catch (error) {
      if (!isPeerError(error)) throw error;
      log(`session ${session.id}: ${method} was not sent: ${error.message}`);
    }
  }
}
