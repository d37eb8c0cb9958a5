import {
  decodeEvent,
  INITIAL_STATE,
  reduce,
  type Journal,
  type SessionId,
  type SessionState,
} from '@signalbox/core';
import { stateOf, type StateAt } from './session-snapshot.ts';

/** A session's log, folded. */
export interface OpenedLog {
  readonly state: SessionState;
  readonly seq: number;
  /** The generation under which the last event was appended. */
  readonly generation: number;
  /** Where the snapshot stands from which it was folded; 0 without one. */
  readonly snapshotSeq: number;
}

const PAGE_LENGTH = 1024;

/**
 * Reads a session's log and folds it, from its snapshot on if there is one. A log without events gives the
 * initial state.
 *
 * @param onProblem told of a snapshot that cannot be read; the whole log is read then.
 */
export async function openLog(
  journal: Journal,
  sessionId: SessionId,
  onProblem: (error: unknown) => void,
): Promise<OpenedLog> {
  const { seq: headSeq, generation } = await journal.head(sessionId);
  const start = await readStart(journal, sessionId, headSeq, onProblem);
  let { seq, state } = start;
  for (;;) {
    const page = await journal.read(sessionId, seq, PAGE_LENGTH);
    for (const { body } of page) state = reduce(state, decodeEvent(body));
    const last = page[page.length - 1];
    if (last === undefined) return { state, seq, generation, snapshotSeq: start.seq };
    seq = last.seq;
  }
}

async function readStart(
  journal: Journal,
  sessionId: SessionId,
  headSeq: number,
  onProblem: (error: unknown) => void,
): Promise<StateAt> {
  const snapshot = await journal.snapshot(sessionId);
  try {
    const found = snapshot && stateOf(snapshot);
    // The log decides: a snapshot of what it does not hold is none of it.
    if (found !== undefined && found.seq <= headSeq) return found;
  } catch (error) {
    onProblem(error);
  }
  return { seq: 0, state: INITIAL_STATE };
}
