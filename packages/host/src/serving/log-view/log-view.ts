import { isPeerError, type AgentConnection, type RawJson } from '@signalbox/acp';
import { toCursor, type StoredEntry } from '@signalbox/core';
import type { Session } from '../../session/session.ts';
import { gatherBurst } from '../burst.ts';
import type { SessionView, ViewEnd } from '../session-view.ts';
import { toBatches, type EventBatch } from './event-batch.ts';
import { LogMethod } from './log-method.ts';

/** Makes other messages of entries than the plain ones, for one client. */
export interface EventTailor {
  /** Messages that tell these entries. */
  toBatches(entries: readonly StoredEntry[]): Iterable<EventBatch>;
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

  constructor(parts: LogViewParts) {
    this.#parts = parts;
  }

  /** The client stands at `seq`, and is told when it has reached the head that there is now. */
  begin(seq: number): void {
    this.#headSeq = this.#parts.session.headSeq;
    this.#tellWhenCaughtUp(seq);
  }

  async deliver(
    entries: readonly StoredEntry[],
    pass: (seq: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { session, connection, tailor } = this.#parts;
    for (const batch of tailor?.toBatches(entries) ?? toBatches(session, entries)) {
      if (signal.aborted) return;
      const place = { stream: session.id, cursor: batch.cursor };
      const room = connection.notifyOther(LogMethod.events, batch.params, place);
      if (room !== undefined) await room;
      pass(batch.lastSeq);
      this.#tellWhenCaughtUp(batch.lastSeq);
    }
    if (tailor?.gathers === true) await gatherBurst(signal);
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

  #notify(method: string, params: RawJson | object): void {
    const { connection, session, log } = this.#parts;
    try {
      void connection.notifyOther(method, params, { stream: session.id });
    } catch (error) {
      if (!isPeerError(error)) throw error;
      log(`session ${session.id}: ${method} was not sent: ${error.message}`);
    }
  }
}
