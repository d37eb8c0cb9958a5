import {
  decodeEvent,
  INITIAL_STATE,
  reduce,
  type Journal,
  type SessionId,
  type SessionState,
} from '@signalbox/core';

/** A session's log, folded. */
export interface OpenedLog {
  readonly state: SessionState;
  readonly seq: number;
  /** The generation under which the last event was appended. */
  readonly generation: number;
}

const PAGE_LENGTH = 1024;

/** Reads a session's whole log and folds it. A log without events gives the initial state. */
export async function openLog(journal: Journal, sessionId: SessionId): Promise<OpenedLog> {
  const { generation } = await journal.head(sessionId);
  let state = INITIAL_STATE;
  let seq = 0;
  for (;;) {
    const page = await journal.read(sessionId, seq, PAGE_LENGTH);
    for (const { body } of page) state = reduce(state, decodeEvent(body));
    const last = page[page.length - 1];
    if (last === undefined) return { state, seq, generation };
    seq = last.seq;
  }
}
