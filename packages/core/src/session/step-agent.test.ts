import { describe, expect, test } from 'vitest';
import {
  agentExited,
  agentStarted,
  agentStartFailed,
  answered,
  asks,
  prompt,
  recover,
  says,
  terminal,
  terminalExited,
  update,
} from '../../../../tests/support/session/inputs.ts';
import { effectsOf, eventsOf, runOf } from '../../../../tests/support/session/run.ts';
import { toTranscript } from '../transcript/fold.ts';
import { INITIAL_STATE } from './state.ts';
import { reduceAll } from './reduce.ts';

describe('the agent', () => {
  test('is started by the first prompt and gets it once it is ready', () => {
    const run = runOf(prompt(1), agentStarted());
    expect(run.effects).toMatchObject([
      { kind: 'start_agent' },
      { kind: 'send_prompt', turnId: 'T1' },
    ]);
  });

  test('gets a prompt only once, also when it reports ready twice', () => {
    const run = runOf(prompt(1), agentStarted(), agentStarted());
    expect(effectsOf(run, 'send_prompt')).toHaveLength(1);
  });

  test('that does not start fails the turn with what it said; the next prompt tries again', () => {
    const run = runOf(prompt(1), agentStartFailed());
    expect(run.state.lastTurn?.end).toEqual({
      kind: 'failed',
      failure: 'agent_start',
      message: 'no such program',
    });
    expect(run.feed(prompt(2)).effects).toEqual([{ kind: 'start_agent' }]);
  });

  test('that wants its user to sign in is told apart', () => {
    const run = runOf(prompt(1), agentStartFailed('T-next', true));
    expect(run.state.lastTurn?.end).toMatchObject({ failure: 'auth_required' });
  });

  test('that does not start leaves each queued prompt with an outcome of its own', () => {
    const run = runOf(prompt(1), prompt(2), prompt(3));
    run.feedAll(agentStartFailed('T2'), agentStartFailed('T3'), agentStartFailed('T4'));
    expect(effectsOf(run, 'start_agent')).toHaveLength(3);
    expect(effectsOf(run, 'settle_prompt').map(({ promptId }) => promptId)).toEqual([
      'P1',
      'P2',
      'P3',
    ]);
    expect(run.state.turn).toEqual({ kind: 'idle' });
  });

  test('that dies ends its turn with the reason, and a queued prompt starts it anew', () => {
    const run = runOf(prompt(1), agentStarted(), says('half'), asks('A1'), prompt(2));
    const { events, effects } = run.feed(agentExited('T2'));
    expect(events.map(({ type }) => type)).toEqual([
      'agent.exited',
      'permission.resolved',
      'turn.finished',
      'turn.started',
    ]);
    expect(run.state.lastTurn?.end).toEqual({
      kind: 'failed',
      failure: 'agent_exited',
      message: "the agent's process ended (exit code 3) during the turn; its last words: boom",
    });
    expect(effects.at(-1)).toEqual({ kind: 'start_agent' });
    run.feed(agentStarted(101));
    expect(effectsOf(run, 'send_prompt').map(({ turnId }) => turnId)).toEqual(['T1', 'T2']);
  });

  test('that ended while idle gives way to a new one for a prompt that it was never sent', () => {
    const run = runOf(prompt(1), agentStarted(), answered('T1', 'end_turn'), prompt(2));
    expect(run.feed(agentExited('T-next', false, 'T1')).effects).toEqual([{ kind: 'start_agent' }]);
    expect(run.feed(agentStarted()).effects).toMatchObject([{ kind: 'send_prompt', turnId: 'T2' }]);
  });

  test('that ends again and again before it gets its prompt fails the turn', () => {
    const run = runOf(prompt(1), agentStarted(), answered('T1', 'end_turn'), prompt(2));
    run.feedAll(agentExited('T-next', false, 'T1'), agentStarted());
    run.feed(agentExited('T-next', false, 'T1'));
    expect(run.state.lastTurn?.end).toMatchObject({ kind: 'failed', failure: 'agent_exited' });
  });

  test('cannot end a turn with an answer to an older one', () => {
    const run = runOf(prompt(1), agentStarted(), agentExited(), prompt(2));
    run.feed(answered('T1', 'end_turn'));
    run.feedAll(agentStarted(101), answered('T1', 'end_turn'));
    expect(run.state.turn).toMatchObject({ kind: 'running', turnId: 'T2' });
  });

  test('cannot answer a prompt that has not gone out', () => {
    const run = runOf(prompt(1));
    expect(run.feed(answered('T1', 'end_turn'))).toEqual({ events: [], effects: [] });
  });

  test('that runs while nothing is asked of it is listened to, and ends quietly', () => {
    const run = runOf(prompt(1), agentStarted(), answered('T1', 'end_turn'));
    run.feedAll(says('by the way'), agentExited('T-next', true));
    const [last] = eventsOf({ events: run.log }, 'update');
    expect(last).not.toHaveProperty('turnId');
    expect(run.state.turn).toEqual({ kind: 'idle' });
    expect(run.state.agent).toEqual({ kind: 'absent' });
  });
});

describe('recover', () => {
  test('records what ran as interrupted and leaves nothing open', () => {
    const run = runOf(prompt(1), agentStarted(), asks('A1'), prompt(2), prompt(3));
    const { events, effects } = run.feed(recover);
    expect(events.map(({ type }) => type)).toEqual([
      'agent.exited',
      'permission.resolved',
      'turn.finished',
      'prompt.dropped',
      'prompt.dropped',
    ]);
    expect(effects).toEqual([]);
    expect(run.state.lastTurn?.end).toMatchObject({ kind: 'failed', failure: 'interrupted' });
    expect(run.state).toMatchObject({
      agent: { kind: 'absent' },
      turn: { kind: 'idle' },
      queue: [],
    });
  });

  test('ends commands of which nobody saw the end, and says so', () => {
    const run = runOf(prompt(1), agentStarted(), terminal('A'), terminal('B'), terminalExited('A'));
    const [exited, ...others] = run.feed(recover).events;
    expect(exited).toMatchObject({ type: 'terminal.exited', turnId: 'T1' });
    expect(exited?.data).toMatchObject({
      terminalId: 'B',
      exitCode: null,
      signal: null,
      lost: true,
    });
    expect(others.map(({ type }) => type)).toEqual(['agent.exited', 'turn.finished']);
    expect(run.feed(recover).events).toEqual([]);
    const stored = run.log.map((event, index) => ({ seq: index + 1, event }));
    const { exit } = toTranscript(stored).terminals.get('B') ?? {};
    expect(exit).toMatchObject({ lost: true });
  });

  test('does nothing a second time, nor to a session at rest', () => {
    const run = runOf(prompt(1), agentStarted(), asks('A1'), prompt(2), recover);
    expect(run.feed(recover)).toEqual({ events: [], effects: [] });
    const idle = runOf(prompt(1), agentStarted(), answered('T1', 'end_turn'), agentExited());
    expect(idle.feed(recover)).toEqual({ events: [], effects: [] });
  });

  test('ends a turn whose agent was still starting', () => {
    const run = runOf(prompt(1));
    expect(run.feed(recover).events.map(({ type }) => type)).toEqual(['turn.finished']);
  });

  test('drops what is queued behind no turn, should a log ever hold that', () => {
    const run = runOf(prompt(1), prompt(2));
    const odd = run.log.filter(({ type }) => type !== 'turn.started');
    run.state = reduceAll(INITIAL_STATE, odd);
    run.feed(recover);
    expect(run.state.queue).toEqual([]);
  });
});

describe('a prompt while a turn runs', () => {
  test('waits in order, up to the limit, or is refused as its sender wants', () => {
    const run = runOf(prompt(1), agentStarted(), prompt(2), prompt(3), prompt(4));
    run.feedAll(prompt(5), prompt(6, { whenBusy: 'refuse' }));
    expect(effectsOf(run, 'refuse_prompt')).toEqual([
      { kind: 'refuse_prompt', promptId: 'P5', refusal: 'queue_full' },
      { kind: 'refuse_prompt', promptId: 'P6', refusal: 'busy' },
    ]);
    run.feedAll(answered('T1', 'end_turn', 'T2'), answered('T2', 'end_turn', 'T3'));
    run.feedAll(answered('T3', 'end_turn', 'T4'), answered('T4', 'end_turn', 'T5'));
    const started = eventsOf({ events: run.log }, 'turn.started');
    expect(started.map(({ data }) => data.promptId)).toEqual(['P1', 'P2', 'P3', 'P4']);
  });
});

describe('a title', () => {
  test('stays when it is left out, changes when it is given and goes when it is null', () => {
    const info = (more: object) => update({ sessionUpdate: 'session_info_update', ...more });
    const run = runOf(info({ title: 'A' }), info({ updatedAt: '2026-01-01T00:00:00Z' }));
    expect(run.state.title).toBe('A');
    run.feed(info({ title: 5 }));
    expect(run.state.title).toBe('A');
    run.feed(info({ title: null }));
    expect(run.state.title).toBeUndefined();
  });
});
