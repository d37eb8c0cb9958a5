import type { SessionInput, SessionSettings } from './input.ts';
import type { SessionEvent, TurnEnd } from './event.ts';
import type { Effect } from './effect.ts';
import { describe, expect, test } from 'vitest';
import {
  agentExited,
  agentStarted,
  agentStartFailed,
  answered,
  answers,
  asks,
  BOB,
  cancel,
  deadline,
  graceEnded,
  prompt,
  recover,
  fact,
  says,
  settleDeadline,
  takenBack,
  turnIdle,
  update,
  withdraw,
} from '../../../../tests/support/session/inputs.ts';
import { runOf, SessionRun } from '../../../../tests/support/session/run.ts';

/** A turn that was cancelled and has ended at 30; its agent may go on about it. */
const STOPPED: readonly SessionInput[] = [
  ...[prompt(1), agentStarted(), toolCall(), cancel()],
  answered('T1', 'cancelled'),
];

/** Every kind of state, by the inputs that lead to it from a new session. */
const STATES: Readonly<Record<string, readonly SessionInput[]>> = {
  'idle, no agent': [],
  'idle, agent': [prompt(1), agentStarted(), answered('T1', 'end_turn')],
  'idle, agent asks': [prompt(1), agentStarted(), answered('T1', 'end_turn'), asks('A1')],
  'idle, agent gone': [prompt(1), agentStarted(), agentExited()],
  starting: [prompt(1)],
  'starting, queue': [prompt(1), prompt(2)],
  prompted: [prompt(1), agentStarted()],
  'prompted, tool': [prompt(1), agentStarted(), toolCall()],
  'prompted, asks': [prompt(1), agentStarted(), asks('A1')],
  'prompted, asks, asked before': [
    ...[prompt(0), agentStarted(), answered('T0', 'end_turn'), asks('A0')],
    ...[prompt(1), asks('A1')],
  ],
  'prompted, queue': [prompt(1), agentStarted(), prompt(2)],
  'prompted, queue full': [prompt(1), agentStarted(), prompt(2), prompt(3), prompt(4)],
  cancelled: [prompt(1), agentStarted(), cancel()],
  'cancelled while asking': [prompt(1), agentStarted(), asks('A1'), cancel()],
  'cancelled, queue since': [prompt(1), agentStarted(), cancel(), prompt(2)],
  'idle too long': [prompt(1), agentStarted(), turnIdle('T1')],
  'idle too long, queue': [prompt(1), agentStarted(), prompt(2), turnIdle('T1')],
  stopped: STOPPED,
  'stopped, quiet since': [...STOPPED, says('OLD', 80)],
  failed: [prompt(1), agentStarted(), answered('T1', { code: -32603 })],
  'stopped, held': [...STOPPED, prompt(2, { at: 40 })],
  'stopped, held, heard since': [...STOPPED, prompt(2, { at: 40 }), says('OLD', 79)],
  'stopped, held, goes on': [
    ...[...STOPPED, prompt(2, { at: 40 })],
    ...[70, 110, 150, 190, 230].map((at) => says('OLD', at)),
  ],
  'stopped, held, queue full': [...STOPPED, ...[2, 3, 4].map((n) => prompt(n, { at: 40 }))],
  'stopped with a queue': [
    ...[prompt(1), agentStarted(), cancel(), prompt(2)],
    answered('T1', 'cancelled'),
  ],
};

/** Every kind of input, with what makes a difference. */
const INPUTS: Readonly<Record<string, SessionInput | (SessionInput & Partial<SessionSettings>)>> = {
  prompt: prompt(9),
  'prompt, or refuse': prompt(9, { whenBusy: 'refuse' }),
  cancel: cancel(undefined, BOB),
  'cancel T1': cancel('T1', BOB),
  'cancel T0': cancel('T0', BOB),
  'P1 withdrawn': withdraw('P1', BOB),
  'P2 withdrawn': withdraw('P2', BOB),
  'agent started': agentStarted(),
  'agent start failed': agentStartFailed(),
  'agent wants sign-in': agentStartFailed('T-next', true),
  'agent exited': agentExited(),
  'agent ended by us': agentExited('T-next', true),
  update: says('hello'),
  'file read': fact({
    type: 'file.accessed',
    data: {
      kind: 'read',
      path: '/f',
      realPath: '/f',
      bytes: 1,
      digestBefore: null,
      digestAfter: null,
    },
  }),
  'update that does not fit': update({ sessionUpdate: 'plan' }, 'entries missing'),
  'asks again': asks('A9'),
  'asks again, policy allow': { ...asks('A9'), policyLevel: 'allow' },
  'asks again, policy deny': { ...asks('A9'), policyLevel: 'deny' },
  'A1 yes': answers('A1', 'yes'),
  'A1 denied': answers('A1'),
  'A1 odd option': answers('A1', 'maybe'),
  'A7 yes': answers('A7', 'yes'),
  'A1 taken back': takenBack('A1'),
  'A1 deadline': deadline('A1'),
  'T1 end_turn': answered('T1', 'end_turn'),
  'T1 max_tokens': answered('T1', 'max_tokens'),
  'T1 cancelled': answered('T1', 'cancelled'),
  'T1 odd reason': answered('T1', 'error'),
  'T1 error': answered('T1', { code: -32603 }),
  'T1 error, cancelled': answered('T1', { code: -32800 }),
  'T1 error, sign-in': answered('T1', { code: -32000 }),
  'T0 end_turn': answered('T0', 'end_turn'),
  'T1 grace ended': graceEnded('T1'),
  'T0 grace ended': graceEnded('T0'),
  'T1 idle': turnIdle('T1'),
  'T0 idle': turnIdle('T0'),
  'settle deadline, early': settleDeadline(79),
  'settle deadline': settleDeadline(80),
  'settle deadline, at last': settleDeadline(240),
  recover,
};

describe('step', () => {
  test('has an answer to every input in every state, and keeps the invariants', async () => {
    const lines: string[] = [];
    for (const [state, inputs] of Object.entries(STATES)) {
      lines.push(`# ${state}`);
      for (const [name, input] of Object.entries(INPUTS)) lines.push(lineOf(inputs, name, input));
      lines.push('');
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./step-table.txt');
  });

  test('the table has every kind of input', () => {
    const kinds = new Set(Object.values(INPUTS).map(({ kind }) => kind));
    // Compiles only as long as the list is complete.
    const all: Record<SessionInput['kind'], true> = {
      prompt: true,
      cancel: true,
      withdraw_prompt: true,
      agent_started: true,
      agent_start_failed: true,
      agent_exited: true,
      update: true,
      fact: true,
      permission_requested: true,
      permission_answered: true,
      prompt_answered: true,
      permission_taken_back: true,
      permission_deadline: true,
      cancel_grace_ended: true,
      turn_idle: true,
      settle_deadline: true,
      recover: true,
    };
    expect([...kinds].sort()).toEqual(Object.keys(all).sort());
  });

  test.for(Object.keys(STATES))('whatever comes, "%s" can be brought to rest', (state) => {
    for (const input of Object.values(INPUTS)) {
      const run = runOf(...(STATES[state] ?? []), input);
      // Each exit ends one turn, and a queue is short.
      for (let n = 0; n < 8; n++) run.feedAll(agentStarted(), agentExited(`T-rest-${n}`));
      expect(run.state.turn).toEqual({ kind: 'idle' });
      expect(run.state.queue).toEqual([]);
      expect(run.state.permissions.size).toBe(0);
      const started = run.log.filter(({ type }) => type === 'turn.started');
      const finished = run.log.filter(({ type }) => type === 'turn.finished');
      expect(finished.map(({ turnId }) => turnId)).toEqual(started.map(({ turnId }) => turnId));
    }
  });
});

function toolCall(): SessionInput {
  return update({ sessionUpdate: 'tool_call', toolCallId: 'call', title: 'Run it' });
}

function lineOf(
  before: readonly SessionInput[],
  name: string,
  input: SessionInput & Partial<SessionSettings>,
): string {
  const run = new SessionRun();
  run.feedAll(...before);
  if (input.policyLevel !== undefined) {
    run.settings = { ...run.settings, policyLevel: input.policyLevel };
  }
  const { events, effects } = run.feed(input);
  const outcome = [...events.map(nameEvent), '=>', ...effects.map(nameEffect)].join(' ');
  return `${name.padEnd(26)} ${outcome === '=>' ? '-' : outcome}`.trimEnd();
}

function nameEvent(event: SessionEvent): string {
  const at = event.turnId === undefined ? '' : `@${event.turnId}`;
  switch (event.type) {
    case 'turn.finished':
      return `${event.type}${at}(${nameEnd(event.data.end)})`;
    case 'permission.resolved': {
      const { permissionId, outcome, by, withdrawal } = event.data;
      const chosen = outcome.kind === 'selected' ? outcome.optionId : 'cancelled';
      const why = withdrawal === undefined ? `by ${by.kind}` : withdrawal;
      return `${event.type}${at}(${permissionId}: ${chosen}, ${why})`;
    }
    case 'turn.started':
    case 'prompt.queued':
    case 'prompt.dropped':
    case 'prompt.held':
      return `${event.type}${at}(${event.data.promptId})`;
    default:
      return `${event.type}${at}`;
  }
}

function nameEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'send_prompt':
    case 'set_cancel_grace':
      return `${effect.kind}(${effect.turnId})`;
    case 'settle_prompt':
      return `${effect.kind}(${effect.promptId}: ${nameEnd(effect.end)})`;
    case 'refuse_prompt':
      return `${effect.kind}(${effect.promptId}: ${effect.refusal})`;
    case 'settle_answer':
      return `${effect.kind}(${effect.refusal ?? 'taken'})`;
    case 'answer_permission': {
      const { permissionId, outcome } = effect;
      const chosen = outcome.kind === 'selected' ? outcome.optionId : 'cancelled';
      return `${effect.kind}(${permissionId}: ${chosen})`;
    }
    case 'set_settle_deadline':
      return `${effect.kind}(${effect.at})`;
    case 'set_permission_deadline':
    case 'clear_permission_deadline':
      return `${effect.kind}(${effect.permissionId})`;
    default:
      return effect.kind;
  }
}

function nameEnd(end: TurnEnd): string {
  if (end.kind === 'failed') return end.failure;
  return end.forced === true ? `${end.stopReason}, forced` : end.stopReason;
}
