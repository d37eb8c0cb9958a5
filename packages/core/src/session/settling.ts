import type { EventOf, SessionEvent, TurnEnd } from './event.ts';
import type { Hold, SessionState, Settling, TurnState } from './state.ts';

/**
 * Whether an agent may go on about a turn behind its end. One that ended its turn by itself has nothing
 * more to say of it, and one that wants a sign-in has not begun.
 */
export function mayGoOn(turn: Extract<TurnState, { kind: 'running' }>, end: TurnEnd): boolean {
  if (end.kind === 'failed') return end.failure !== 'auth_required';
  return end.stopReason === 'cancelled' || turn.cancel !== undefined;
}

/** Whether the agent has been quiet for as long as is wanted, so that the next turn can have it. */
export function isSettled({ quietMs, heardAt }: Settling, at: number, wantedMs: number): boolean {
  return Math.max(quietMs, at - heardAt) >= wantedMs;
}

/** What follows the end of the running turn; undefined when the next turn may begin at once. */
export function settlingOf(
  { turn, agent }: SessionState,
  { time, data }: EventOf<'turn.finished'>,
): Settling | undefined {
  // What speaks no more has nothing to settle.
  if (turn.kind !== 'running' || agent.kind !== 'running') return undefined;
  if (!mayGoOn(turn, data.end)) return undefined;
  const isCancelled = turn.cancel !== undefined || data.end.kind === 'stopped';
  return { turnId: turn.turnId, isCancelled, heardAt: time, quietMs: 0 };
}

/** The agent did something that is in the log now. */
export function hear(state: SessionState, { time }: SessionEvent): SessionState {
  const { settling } = state;
  if (settling === undefined) return state;
  const quietMs = Math.max(settling.quietMs, time - settling.heardAt);
  return { ...state, settling: { ...settling, heardAt: time, quietMs } };
}

/** A prompt waits, or none does any more. */
export function holdFor(settling: Settling | undefined, hold?: Hold): Settling | undefined {
  if (settling === undefined) return undefined;
  const { hold: _, ...rest } = settling;
  return hold === undefined ? rest : { ...rest, hold };
}
