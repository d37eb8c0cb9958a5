import { assertNever } from '../assert.ts';
import type { SessionEvent } from './event.ts';
import type { InputOf, SessionInput, SessionSettings } from './input.ts';
import { isAboutBefore } from './spoken-ids.ts';
import type { SessionState } from './state.ts';
import { onAgentExited, onAgentStarted, onAgentStartFailed, onRecover } from './step-agent.ts';
import { onCancel, onCancelGraceEnded, onTurnIdle, onWithdrawPrompt } from './step-cancel.ts';
import {
  onPermissionAnswered,
  onPermissionDeadline,
  onPermissionRequested,
  onPermissionTakenBack,
} from './step-permission.ts';
import { onPrompt, onPromptAnswered } from './step-prompt.ts';
import { onSettleDeadline } from './step-settle.ts';
import type { StepResult } from './step-result.ts';

/**
 * Decides what an input means for a session. Pure: no I/O, no clock, no randomness. Every pair of a
 * state and an input has an answer; an input that no longer applies gives {@link NOTHING}.
 */
export function step(
  state: SessionState,
  input: SessionInput,
  settings: SessionSettings,
): StepResult {
  switch (input.kind) {
    case 'prompt':
      return onPrompt(state, input, settings);
    case 'prompt_answered':
      return onPromptAnswered(state, input, settings);
    case 'cancel':
      return onCancel(state, input, settings);
    case 'withdraw_prompt':
      return onWithdrawPrompt(state, input, settings);
    case 'cancel_grace_ended':
      return onCancelGraceEnded(state, input);
    case 'turn_idle':
      return onTurnIdle(state, input, settings);
    case 'settle_deadline':
      return onSettleDeadline(state, input);
    case 'agent_started':
      return onAgentStarted(state, input);
    case 'agent_start_failed':
      return onAgentStartFailed(state, input);
    case 'agent_exited':
      return onAgentExited(state, input);
    case 'recover':
      return onRecover(state, input);
    case 'update':
      return onUpdate(state, input);
    case 'fact':
      return onFact(state, input);
    case 'permission_requested':
      return onPermissionRequested(state, input, settings);
    case 'permission_answered':
      return onPermissionAnswered(state, input);
    case 'permission_taken_back':
      return onPermissionTakenBack(state, input);
    case 'permission_deadline':
      return onPermissionDeadline(state, input);
    default:
      return assertNever(input);
  }
}

/**
 * Updates after the turn's end are kept, outside of any turn, and belong to no result (B33, B35). So are
 * those that come so late that the next turn is under way, where they can be told apart (B52).
 */
function onUpdate(state: SessionState, input: InputOf<'update'>): StepResult {
  const { update, problem, by, at } = input;
  const data = {
    v: 1 as const,
    update,
    ...(problem === undefined ? {} : { problem }),
    ...(by === undefined ? {} : { by }),
  };
  const event: SessionEvent = { type: 'update', time: at, data };
  const isLate = problem === undefined && isAboutBefore(state.spoken, update.value);
  return { events: [isLate ? event : inTurn(state, event)], effects: [] };
}

function onFact(state: SessionState, { fact, at }: InputOf<'fact'>): StepResult {
  return { events: [inTurn(state, { ...fact, time: at })], effects: [] };
}

/** Names the turn in which something happened, if one runs. */
function inTurn(state: SessionState, event: SessionEvent): SessionEvent {
  return state.turn.kind === 'running' ? { ...event, turnId: state.turn.turnId } : event;
}
