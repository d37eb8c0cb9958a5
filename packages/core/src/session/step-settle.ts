import type { Effect } from './effect.ts';
import type { SessionEvent } from './event.ts';
import type { PromptId } from './ids.ts';
import type { InputOf, SessionSettings } from './input.ts';
import { isSettled } from './settling.ts';
import type { Hold, SessionState, Settling } from './state.ts';
import { NOTHING, type StepResult } from './step-result.ts';
import { thenNextTurn } from './turn-end.ts';

/** Where a hold begins. */
interface HoldPlace extends Pick<Settling, 'turnId' | 'heardAt'> {
  readonly at: number;
}

/** A prompt waits until the agent has been quiet, behind what has been decided so far. */
export function thenHold(
  done: StepResult,
  promptId: PromptId,
  { turnId, heardAt, at }: HoldPlace,
  { settleMs, settleMaxMs }: SessionSettings,
): StepResult {
  const hold: Hold = { quietMs: settleMs, endsAt: at + settleMaxMs };
  const held: SessionEvent = { type: 'prompt.held', time: at, turnId, data: { promptId, ...hold } };
  return {
    events: [...done.events, held],
    effects: [...done.effects, deadlineOf(heardAt, hold)],
  };
}

/**
 * The agent may have been quiet for long enough: then the prompt that waits has it. One that has gone on
 * for too long cannot be trusted with the next turn: its process is ended, and the next one, which gets
 * the session back in the usual way, gets the prompt.
 */
export function onSettleDeadline(
  state: SessionState,
  { at, nextTurnId }: InputOf<'settle_deadline'>,
): StepResult {
  const { settling } = state;
  const hold = settling?.hold;
  if (settling === undefined || hold === undefined) return NOTHING;
  if (isSettled(settling, at, hold.quietMs)) {
    return thenNextTurn(state, NOTHING, at, nextTurnId, true);
  }
  if (at >= hold.endsAt) return { events: [], effects: [{ kind: 'end_agent' }] };
  return { events: [], effects: [deadlineOf(settling.heardAt, hold)] };
}

/** When to look again: not at each update, of which there may be very many. */
function deadlineOf(heardAt: number, { quietMs, endsAt }: Hold): Effect {
  return { kind: 'set_settle_deadline', at: Math.min(heardAt + quietMs, endsAt) };
}
