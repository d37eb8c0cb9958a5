import { isStopReason } from '@signalbox/acp';
import { cutText } from './cut-text.ts';
import type { Effect } from './effect.ts';
import type { EventOf, PermissionWithdrawal, SessionEvent, TurnEnd } from './event.ts';
import type { TurnId } from './ids.ts';
import type { PromptAnswer } from './input.ts';
import type { SessionState, TurnState } from './state.ts';
import type { StepResult } from './step-result.ts';

type RunningTurn = Extract<TurnState, { kind: 'running' }>;

/** The error code with which an agent asks for a sign-in (R-AUT). */
const AUTH_REQUIRED = -32000;
/** The error code of a request that its sender cancelled. */
const REQUEST_CANCELLED = -32800;
/** An unknown stop reason is kept for people, but not at any length (B79). */
const UNKNOWN_REASON_LENGTH_MAX = 100;

/** How a turn ends that the agent has answered. Cancelling counts only if it is why the turn ended. */
export function toTurnEnd(turn: RunningTurn, answer: PromptAnswer): TurnEnd {
  if (turn.cancel?.by.kind === 'deadline') {
    return { kind: 'failed', failure: 'turn_idle', message: 'the agent did nothing for too long' };
  }
  if (answer.kind === 'result') {
    const { stopReason } = answer;
    if (isStopReason(stopReason)) {
      // The cancel took away what the agent was waiting for, so nothing else ended this turn (B49).
      const isByCancel = stopReason === 'end_turn' && turn.cancel?.hasWithdrawn === true;
      return { kind: 'stopped', stopReason: isByCancel ? 'cancelled' : stopReason };
    }
    // What an agent makes up to say that it was cancelled is not worth a failure.
    if (turn.cancel !== undefined) return { kind: 'stopped', stopReason: 'cancelled' };
    const shown = (JSON.stringify(stopReason) as string | undefined) ?? 'nothing';
    const text = cutText(shown, UNKNOWN_REASON_LENGTH_MAX);
    const message = `the agent ended the turn with an unknown stop reason: ${text}`;
    return { kind: 'failed', failure: 'invalid_response', message };
  }
  if (turn.cancel !== undefined || answer.code === REQUEST_CANCELLED) {
    return { kind: 'stopped', stopReason: 'cancelled' };
  }
  const failure = answer.code === AUTH_REQUIRED ? 'auth_required' : 'agent_error';
  const end = { kind: 'failed', failure, message: answer.message } as const;
  // A code that JSON cannot carry would read differently from the log.
  return Number.isSafeInteger(answer.code) ? { ...end, code: answer.code } : end;
}

/**
 * Ends the running turn: nothing of it stays open, whoever waits for it is told. Where the agent has
 * ended it in order (`turn_ended`), requests from outside the turn go on waiting.
 */
export function finishTurn(
  state: SessionState,
  turn: RunningTurn,
  at: number,
  end: TurnEnd,
  withdrawal: PermissionWithdrawal,
): StepResult {
  const onlyOf = withdrawal === 'turn_ended' ? turn.turnId : undefined;
  const withdrawn = withdrawPermissions(state, at, withdrawal, onlyOf);
  const finished: EventOf<'turn.finished'> = {
    type: 'turn.finished',
    time: at,
    turnId: turn.turnId,
    data: { promptId: turn.promptId, end },
  };
  return {
    events: [...withdrawn.events, finished],
    effects: [...withdrawn.effects, { kind: 'settle_prompt', promptId: turn.promptId, end }],
  };
}

/** Starts the next queued prompt behind what has been decided so far. */
export function thenNextTurn(
  state: SessionState,
  done: StepResult,
  at: number,
  turnId: TurnId,
  isAgentRunning: boolean,
): StepResult {
  const [next] = state.queue;
  if (next === undefined) return done;
  const { promptId, content, by } = next;
  const started: SessionEvent = {
    type: 'turn.started',
    time: at,
    turnId,
    data: { promptId, content, by },
  };
  const effect: Effect = isAgentRunning
    ? { kind: 'send_prompt', turnId, content }
    : { kind: 'start_agent' };
  return { events: [...done.events, started], effects: [...done.effects, effect] };
}

/**
 * Ends every waiting permission request, or only those of one turn; the agent is told `cancelled`, so
 * it never waits for ever.
 */
export function withdrawPermissions(
  state: SessionState,
  at: number,
  withdrawal: PermissionWithdrawal,
  onlyOf?: TurnId,
): { events: SessionEvent[]; effects: Effect[] } {
  const events: SessionEvent[] = [];
  const effects: Effect[] = [];
  for (const { permissionId, turnId } of state.permissions.values()) {
    if (onlyOf !== undefined && turnId !== onlyOf) continue;
    const event = {
      type: 'permission.resolved',
      time: at,
      data: { permissionId, outcome: { kind: 'cancelled' }, by: { kind: 'host' }, withdrawal },
    } as const;
    events.push(turnId === undefined ? event : { ...event, turnId });
    effects.push({ kind: 'clear_permission_deadline', permissionId });
    effects.push({ kind: 'answer_permission', permissionId, outcome: { kind: 'cancelled' } });
  }
  return { events, effects };
}
