import { toAction } from '../policy/action.ts';
import { decide, denial, type Decision } from '../policy/decide.ts';
import type { Effect } from './effect.ts';
import type {
  Actor,
  EventOf,
  PermissionOutcome,
  PermissionWithdrawal,
  SessionEvent,
} from './event.ts';
import type { PermissionId } from './ids.ts';
import type { InputOf, SessionSettings } from './input.ts';
import { isSettled } from './settling.ts';
import type { PendingPermission, SessionState } from './state.ts';
import { NOTHING, type StepResult } from './step-result.ts';
import { mergeToolCall } from './tool-call.ts';

/** An agent asks: decided at once by policy, or put before whoever may answer, with a deadline. */
export function onPermissionRequested(
  state: SessionState,
  input: InputOf<'permission_requested'>,
  settings: SessionSettings,
): StepResult {
  const { permissionId, at, options } = input;
  const known = state.toolCalls.get(input.toolCall.toolCallId);
  const toolCall = mergeToolCall(known, input.toolCall, input.toolCallRaw);
  const turnId = state.turn.kind === 'running' ? state.turn.turnId : undefined;
  const data = {
    permissionId,
    toolCall: input.toolCallRaw,
    options: input.optionsRaw,
    action: toAction(toolCall, state.cwd),
  };
  const requested = (deadline?: number): SessionEvent => {
    const whole = deadline === undefined ? data : { ...data, deadline };
    const event = { type: 'permission.requested', time: at, data: whole } as const;
    return turnId === undefined ? event : { ...event, turnId };
  };
  const futility = futilityOf(state, at, settings);
  if (futility !== undefined) {
    const closed = resolve({ permissionId, turnId }, at, CANCELLED, HOST, futility);
    return { events: [requested(), closed.event], effects: closed.effects };
  }
  const decision = decide(options, settings.policyLevel);
  if (decision.kind !== 'ask') {
    const closed = resolveByDecision({ permissionId, turnId }, at, decision);
    return { events: [requested(), closed.event], effects: closed.effects };
  }
  const deadline = at + settings.permissionTimeoutMs;
  return {
    events: [requested(deadline)],
    effects: [{ kind: 'set_permission_deadline', permissionId, at: deadline }],
  };
}

/** Somebody answers. The first valid answer wins; a later one is told that it came too late. */
export function onPermissionAnswered(
  state: SessionState,
  input: InputOf<'permission_answered'>,
): StepResult {
  const { permissionId, optionId, answerId, at, by } = input;
  const pending = state.permissions.get(permissionId);
  if (pending === undefined) {
    const refusal = 'permission_not_pending';
    return { events: [], effects: [{ kind: 'settle_answer', answerId, refusal }] };
  }
  if (optionId === undefined) {
    const closed = resolveByDecision(pending, at, denial(pending.options, 'answer'), by);
    return {
      events: [closed.event],
      effects: [...closed.effects, { kind: 'settle_answer', answerId }],
    };
  }
  if (!pending.options.some((option) => option.optionId === optionId)) {
    const refusal = 'option_not_offered';
    return { events: [], effects: [{ kind: 'settle_answer', answerId, refusal }] };
  }
  const closed = resolve(pending, at, { kind: 'selected', optionId }, by);
  return {
    events: [closed.event],
    effects: [...closed.effects, { kind: 'settle_answer', answerId }],
  };
}

/** The agent has taken its request back: nobody is asked any more, and whoever answers is told so. */
export function onPermissionTakenBack(
  state: SessionState,
  { permissionId, at }: InputOf<'permission_taken_back'>,
): StepResult {
  const pending = state.permissions.get(permissionId);
  if (pending === undefined) return NOTHING;
  const closed = resolve(pending, at, CANCELLED, HOST, 'taken_back');
  return { events: [closed.event], effects: closed.effects };
}

/** Nobody answered in time: denied, and the record says why. */
export function onPermissionDeadline(
  state: SessionState,
  input: InputOf<'permission_deadline'>,
): StepResult {
  const pending = state.permissions.get(input.permissionId);
  if (pending === undefined) return NOTHING;
  const decision = denial(pending.options, 'deadline');
  const closed = resolveByDecision(pending, input.at, decision, { kind: 'deadline' });
  return { events: [closed.event], effects: closed.effects };
}

const CANCELLED: PermissionOutcome = { kind: 'cancelled' };
const HOST: Actor = { kind: 'host' };

/** Why there is no point in asking anybody. */
function futilityOf(
  { turn, agent, settling }: SessionState,
  at: number,
  { settleMs }: SessionSettings,
): PermissionWithdrawal | undefined {
  if (turn.kind === 'running') return turn.cancel === undefined ? undefined : 'turn_cancelled';
  // The agent goes on with what somebody has stopped.
  if (settling?.isCancelled === true && !isSettled(settling, at, settleMs)) return 'turn_cancelled';
  // The start of this agent was given up: whatever it asks while it is being ended, it is as good as gone.
  return agent.kind === 'running' ? undefined : 'agent_gone';
}

type Place = Pick<PendingPermission, 'permissionId' | 'turnId'>;

function resolveByDecision(
  place: Place,
  at: number,
  decision: Exclude<Decision, { kind: 'ask' }> | Decision,
  by?: Actor,
): { event: SessionEvent; effects: Effect[] } {
  const actor: Actor = by ?? { kind: 'policy', rule: decision.rule };
  if (decision.kind === 'allow' || decision.kind === 'deny') {
    return resolve(place, at, { kind: 'selected', optionId: decision.optionId }, actor);
  }
  return resolve(place, at, CANCELLED, actor, 'no_fitting_option');
}

function resolve(
  { permissionId, turnId }: { permissionId: PermissionId; turnId: PendingPermission['turnId'] },
  time: number,
  outcome: PermissionOutcome,
  by: Actor,
  withdrawal?: PermissionWithdrawal,
): { event: SessionEvent; effects: Effect[] } {
  const data = { permissionId, outcome, by, ...(withdrawal === undefined ? {} : { withdrawal }) };
  const event: EventOf<'permission.resolved'> = { type: 'permission.resolved', time, data };
  return {
    event: turnId === undefined ? event : { ...event, turnId },
    effects: [
      { kind: 'clear_permission_deadline', permissionId },
      { kind: 'answer_permission', permissionId, outcome },
    ],
  };
}
