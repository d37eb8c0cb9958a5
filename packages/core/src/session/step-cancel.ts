import type { Effect } from './effect.ts';
import type { Actor, SessionEvent, TurnEnd } from './event.ts';
import type { InputOf, SessionSettings } from './input.ts';
import type { QueuedPrompt, SessionState, TurnState } from './state.ts';
import { NOTHING, type StepResult } from './step-result.ts';
import { finishTurn, withdrawPermissions } from './turn-end.ts';

/**
 * The cancel handshake begins: every waiting permission request is answered `cancelled`, the agent is
 * told once, queued prompts are dropped, and the grace begins. A second cancel of one turn is the same
 * cancel, but what was queued since is dropped too. A cancel after the end drops what waits for the
 * agent to be quiet; a cancel of another turn does nothing.
 */
export function onCancel(
  state: SessionState,
  input: InputOf<'cancel'>,
  settings: SessionSettings,
): StepResult {
  const { turn } = state;
  // Between two turns there may be a prompt that waits for the agent to be quiet.
  if (turn.kind !== 'running' && input.turnId === undefined) {
    return drop(state.queue, input.at, input.by);
  }
  if (turn.kind !== 'running') return NOTHING;
  if (input.turnId !== undefined && input.turnId !== turn.turnId) return NOTHING;
  const dropped = drop(state.queue, input.at, input.by);
  if (turn.cancel !== undefined) return dropped;
  if (state.agent.kind !== 'running') {
    // The agent has not seen the prompt, and now it never will (B46). Its start goes on: the next
    // prompt can use it, and each step of it has a deadline.
    const end: TurnEnd = { kind: 'stopped', stopReason: 'cancelled' };
    const done = finishTurn(state, turn, input.at, end, 'turn_cancelled');
    return {
      events: [...dropped.events, ...done.events],
      effects: [...dropped.effects, ...done.effects],
    };
  }
  const begun = beginCancel(state, turn, input.at, input.by, settings);
  return {
    events: [...dropped.events, ...begun.events],
    effects: [...dropped.effects, ...begun.effects],
  };
}

/**
 * One prompt is given up by whoever sent it. While it waits, it alone is dropped: what others have under way
 * is not theirs to stop. Once it runs, this is a cancel of its turn; when it has ended, nothing.
 */
export function onWithdrawPrompt(
  state: SessionState,
  { promptId, by, at }: InputOf<'withdraw_prompt'>,
  settings: SessionSettings,
): StepResult {
  const { turn, queue } = state;
  if (turn.kind === 'running' && turn.promptId === promptId) {
    return onCancel(state, { kind: 'cancel', by, at, turnId: turn.turnId }, settings);
  }
  return drop(
    queue.filter((prompt) => prompt.promptId === promptId),
    at,
    by,
  );
}

/** The agent has done nothing for too long: the same handshake, begun by a deadline. */
export function onTurnIdle(
  state: SessionState,
  input: InputOf<'turn_idle'>,
  settings: SessionSettings,
): StepResult {
  const { turn } = state;
  if (turn.kind !== 'running' || turn.turnId !== input.turnId) return NOTHING;
  if (turn.cancel !== undefined || state.permissions.size > 0) return NOTHING;
  // An agent that is still starting has a deadline of its own, and nothing to cancel yet.
  if (state.agent.kind !== 'running') return NOTHING;
  return beginCancel(state, turn, input.at, { kind: 'deadline' }, settings);
}

/** The agent did not end the cancelled turn in time: its process is ended, which ends the turn. */
export function onCancelGraceEnded(
  state: SessionState,
  input: InputOf<'cancel_grace_ended'>,
): StepResult {
  const { turn } = state;
  if (turn.kind !== 'running' || turn.turnId !== input.turnId) return NOTHING;
  if (turn.cancel === undefined) return NOTHING;
  return { events: [], effects: [{ kind: 'end_agent' }] };
}

function beginCancel(
  state: SessionState,
  turn: Extract<TurnState, { kind: 'running' }>,
  at: number,
  by: Actor,
  settings: SessionSettings,
): StepResult {
  const { turnId } = turn;
  const graceEndsAt = at + settings.cancelGraceMs;
  const withdrawn = withdrawPermissions(state, at, 'turn_cancelled');
  const requested: SessionEvent = {
    type: 'turn.cancel_requested',
    time: at,
    turnId,
    data: { by, graceEndsAt },
  };
  return {
    events: [requested, ...withdrawn.events],
    effects: [
      ...withdrawn.effects,
      { kind: 'send_cancel' },
      { kind: 'set_cancel_grace', turnId, at: graceEndsAt },
    ],
  };
}

/** A cancel drops all that wait with the turn before them: stop means stop. */
function drop(prompts: readonly QueuedPrompt[], at: number, by: Actor): StepResult {
  const events: SessionEvent[] = [];
  const effects: Effect[] = [];
  const end: TurnEnd = { kind: 'stopped', stopReason: 'cancelled' };
  for (const { promptId } of prompts) {
    events.push({ type: 'prompt.dropped', time: at, data: { promptId, by } });
    effects.push({ kind: 'settle_prompt', promptId, end });
  }
  return { events, effects };
}
