import {
  RawJson,
  validateParams,
  type PermissionOption,
  type ToolCallUpdate,
} from '@signalbox/acp';
import type {
  Actor,
  HostFact,
  InputOf,
  PermissionId,
  PromptAnswer,
  PromptId,
  SessionInput,
  SessionSettings,
  TurnId,
} from '@signalbox/core';

/** Settings in which every permission request waits for a person. */
export const SETTINGS: SessionSettings = {
  policyLevel: 'ask',
  permissionTimeoutMs: 1000,
  cancelGraceMs: 500,
  settleMs: 50,
  settleMaxMs: 200,
  queueLengthMax: 3,
};

export const ALICE: Actor = { kind: 'client', name: 'alice' };
export const BOB: Actor = { kind: 'client', name: 'bob' };

/** The options that most agents offer. */
export const OPTIONS: readonly PermissionOption[] = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

/** Ids are plain strings in tests. */
export const turnId = (text: string): TurnId => text as TurnId;
export const promptId = (text: string): PromptId => text as PromptId;
export const permissionId = (text: string): PermissionId => text as PermissionId;

/** A JSON value of somebody else. */
export const raw = (value: unknown): RawJson => new RawJson(JSON.stringify(value));

/** A prompt named `P<n>` that would start turn `T<n>`. */
export function prompt(
  n: number | string,
  more: Partial<InputOf<'prompt'>> = {},
): InputOf<'prompt'> {
  return {
    kind: 'prompt',
    at: 10,
    promptId: promptId(`P${n}`),
    turnId: turnId(`T${n}`),
    content: raw([{ type: 'text', text: `prompt ${n}` }]),
    by: ALICE,
    whenBusy: 'queue',
    ...more,
  };
}

export function cancel(turn?: string, by: Actor = ALICE, at = 20): InputOf<'cancel'> {
  const input = { kind: 'cancel', at, by } as const;
  return turn === undefined ? input : { ...input, turnId: turnId(turn) };
}

export function withdraw(prompt: string, by: Actor = ALICE, at = 20): InputOf<'withdraw_prompt'> {
  return { kind: 'withdraw_prompt', at, by, promptId: promptId(prompt) };
}

export function agentStarted(pid = 100): InputOf<'agent_started'> {
  return {
    kind: 'agent_started',
    at: 11,
    started: {
      pid,
      startTime: '7',
      agentSessionId: 'agent-session',
      restoredBy: 'new',
      initialized: raw({ protocolVersion: 1 }),
      session: raw({ sessionId: 'agent-session' }),
    },
  };
}

export function agentStartFailed(next = 'T-next', authRequired = false): SessionInput {
  const message = authRequired ? 'sign in first' : 'no such program';
  return { kind: 'agent_start_failed', at: 12, message, authRequired, nextTurnId: turnId(next) };
}

export function agentExited(
  next = 'T-next',
  isExpected = false,
  prompted = 'T1',
): InputOf<'agent_exited'> {
  const exit = { code: 3, signal: null, stderrTail: 'boom\n', noiseCount: 0 };
  const promptedTurnId = turnId(prompted);
  return {
    kind: 'agent_exited',
    at: 40,
    exit,
    isExpected,
    promptedTurnId,
    nextTurnId: turnId(next),
  };
}

export function answered(turn: string, answer: unknown, next = 'T-next'): SessionInput {
  const isError = typeof answer === 'object' && answer !== null && 'code' in answer;
  const whole: PromptAnswer = isError
    ? { kind: 'error', message: 'it failed', ...(answer as { code: number }) }
    : { kind: 'result', stopReason: answer };
  return {
    kind: 'prompt_answered',
    at: 30,
    turnId: turnId(turn),
    answer: whole,
    nextTurnId: turnId(next),
  };
}

/** Something that the host did for the agent. */
export function fact(done: HostFact): SessionInput {
  return { kind: 'fact', at: 20, fact: done };
}

export function update(value: unknown, problem?: string, at = 15): SessionInput {
  const input = { kind: 'update', at, update: raw(value) } as const;
  return problem === undefined ? input : { ...input, problem };
}

/** @param messageId names the message that the text is a piece of. */
export function says(text: string, at = 15, messageId?: string): SessionInput {
  const content = { type: 'text', text };
  return update({ sessionUpdate: 'agent_message_chunk', content, messageId }, undefined, at);
}

/**
 * A permission request as a connection delivers it: checked, and repaired where the protocol says so,
 * while the text stays. `toolCall` may be given as text to keep what JSON.stringify would not.
 */
export function asks(
  id: string,
  options: readonly PermissionOption[] = OPTIONS,
  toolCall: ToolCallUpdate | RawJson = { toolCallId: 'call', title: 'Run it', kind: 'execute' },
): InputOf<'permission_requested'> {
  const toolCallRaw = toolCall instanceof RawJson ? toolCall : raw(toolCall);
  const optionsRaw = raw(options);
  checkRequest(toolCallRaw, optionsRaw);
  return {
    kind: 'permission_requested',
    at: 16,
    permissionId: permissionId(id),
    toolCall: toolCallRaw.value as ToolCallUpdate,
    toolCallRaw,
    options: optionsRaw.value as PermissionOption[],
    optionsRaw,
  };
}

/** Checks and repairs a permission request in place, as a connection does. */
export function checkRequest(toolCall: RawJson, options: RawJson): void {
  const params = { sessionId: 's', toolCall: toolCall.value, options: options.value };
  const problem = validateParams('session/request_permission', params);
  if (problem !== undefined) throw new Error(`no such request would arrive: ${problem.path}`);
}

/** An answer to a permission request; without an option it is denied. */
export function answers(id: string, optionId?: string, by: Actor = ALICE): SessionInput {
  const input = {
    kind: 'permission_answered',
    at: 17,
    permissionId: permissionId(id),
    by,
    answerId: `answer-${by.kind === 'client' ? by.name : by.kind}`,
  } as const;
  return optionId === undefined ? input : { ...input, optionId };
}

/** The agent takes a permission request back. */
export function takenBack(id: string): SessionInput {
  return { kind: 'permission_taken_back', at: 18, permissionId: permissionId(id) };
}

export function deadline(id: string): SessionInput {
  return { kind: 'permission_deadline', at: 1016, permissionId: permissionId(id) };
}

export function graceEnded(turn: string): SessionInput {
  return { kind: 'cancel_grace_ended', at: 520, turnId: turnId(turn) };
}

export function turnIdle(turn: string): SessionInput {
  return { kind: 'turn_idle', at: 9000, turnId: turnId(turn) };
}

export function settleDeadline(at: number, next = 'T-next'): SessionInput {
  return { kind: 'settle_deadline', at, nextTurnId: turnId(next) };
}

export const recover: SessionInput = { kind: 'recover', at: 50 };

/** The host runs a command for the agent. */
export function terminal(terminalId: string): SessionInput {
  const data = { terminalId, argv: ['ls'], isShellLine: false, cwd: '/work', env: [] };
  return fact({ type: 'terminal.started', data });
}

/** The command has ended. */
export function terminalExited(terminalId: string): SessionInput {
  const exit = { exitCode: 0, signal: null, outputBytes: 0, output: '', truncated: false };
  return fact({ type: 'terminal.exited', data: { terminalId, ...exit } });
}
