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
  graceEnded,
  prompt,
  says,
  settleDeadline,
  turnIdle,
} from '../../../../tests/support/session/inputs.ts';
import { effectsOf, eventsOf, runOf } from '../../../../tests/support/session/run.ts';

const CANCELLED = { kind: 'stopped', stopReason: 'cancelled' };

describe('cancel', () => {
  test('answers every waiting request before it tells the agent, and sets the grace', () => {
    const run = runOf(prompt(1), agentStarted(), asks('A1'), asks('A2'));
    const { events, effects } = run.feed(cancel());
    expect(events.map(({ type }) => type)).toEqual([
      'turn.cancel_requested',
      'permission.resolved',
      'permission.resolved',
    ]);
    expect(effects.filter(({ kind }) => !kind.startsWith('clear'))).toEqual([
      { kind: 'answer_permission', permissionId: 'A1', outcome: { kind: 'cancelled' } },
      { kind: 'answer_permission', permissionId: 'A2', outcome: { kind: 'cancelled' } },
      { kind: 'send_cancel' },
      { kind: 'set_cancel_grace', turnId: 'T1', at: 520 },
    ]);
  });

  test('takes effect before the agent has seen the prompt: it never will', () => {
    const run = runOf(prompt(1), cancel(), agentStarted());
    expect(run.state.lastTurn?.end).toEqual(CANCELLED);
    expect(effectsOf(run, 'send_prompt')).toEqual([]);
    expect(effectsOf(run, 'send_cancel')).toEqual([]);
    // The start goes on, so that the next prompt does not have to begin it again.
    expect(effectsOf(run, 'end_agent')).toEqual([]);
    expect(run.feed(prompt(2)).effects.at(-1)).toMatchObject({ kind: 'send_prompt' });
  });

  test('lets nothing start that waits, also when the agent is still starting', () => {
    for (const started of [[], [agentStarted()]]) {
      const run = runOf(prompt(1), ...started, prompt(2), prompt(3), prompt(4));
      run.feedAll(cancel(), agentStartFailed(), agentExited(), agentStarted());
      expect(eventsOf({ events: run.log }, 'turn.started')).toHaveLength(1);
      const settled = effectsOf(run, 'settle_prompt');
      expect(settled.map(({ promptId }) => promptId).sort()).toEqual(['P1', 'P2', 'P3', 'P4']);
      for (const { end } of settled) expect(end).toMatchObject(CANCELLED);
    }
  });

  test('lets a prompt that came after it run once the cancelled turn has ended and its agent is quiet', () => {
    const run = runOf(prompt(1), agentStarted(), cancel(), prompt(2));
    expect(run.state.queue).toHaveLength(1);
    run.feed(answered('T1', 'cancelled'));
    const { effects } = run.feed(settleDeadline(80, 'T2'));
    expect(effects.at(-1)).toMatchObject({ kind: 'send_prompt', turnId: 'T2' });
  });

  test('a second time is the same cancel, but what was queued since is dropped as well', () => {
    const run = runOf(prompt(1), agentStarted(), cancel(), prompt(2));
    const { events, effects } = run.feed(cancel(undefined, BOB));
    expect(events.map(({ type }) => type)).toEqual(['prompt.dropped']);
    expect(effects).toEqual([{ kind: 'settle_prompt', promptId: 'P2', end: CANCELLED }]);
    expect(effectsOf(run, 'send_cancel')).toHaveLength(1);
  });

  test('by a person stops what is queued behind a turn that was too long idle', () => {
    const run = runOf(prompt(1), agentStarted(), prompt(2), turnIdle('T1'), cancel());
    run.feed(agentExited());
    expect(eventsOf({ events: run.log }, 'turn.started')).toHaveLength(1);
    expect(run.state.lastTurn?.end).toMatchObject({ failure: 'turn_idle' });
  });

  test.for([[cancel()], [cancel('T1')], [cancel('T9')]])(
    'of nothing that runs does nothing (%#)',
    ([input]) => {
      const run = runOf(prompt(1), agentStarted(), answered('T1', 'end_turn'));
      expect(run.feed(input ?? cancel())).toEqual({ events: [], effects: [] });
    },
  );

  test('of an old turn leaves the running one alone', () => {
    const run = runOf(prompt(1), agentStarted(), answered('T1', 'end_turn'), prompt(2));
    expect(run.feed(cancel('T1'))).toEqual({ events: [], effects: [] });
    run.feed(answered('T2', 'end_turn'));
    expect(run.state.lastTurn?.end).toEqual({ kind: 'stopped', stopReason: 'end_turn' });
  });

  test('answers a request that the agent made before it knew', () => {
    const run = runOf(prompt(1), agentStarted(), cancel());
    run.settings = { ...run.settings, policyLevel: 'allow' };
    const { effects } = run.feed(asks('A1'));
    expect(effects).toContainEqual({
      kind: 'answer_permission',
      permissionId: 'A1',
      outcome: { kind: 'cancelled' },
    });
  });
});

describe('a cancelled turn', () => {
  test('is cancelled if the agent answers with an error or with something made up', () => {
    for (const answer of ['cancelled', { code: -32603 }, { code: -32800 }, 'canceled', null]) {
      const run = runOf(prompt(1), agentStarted(), cancel(), answered('T1', answer));
      expect(run.state.lastTurn?.end).toEqual(CANCELLED);
    }
  });

  test('keeps a stop reason that was decided before the agent knew', () => {
    for (const stopReason of ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal']) {
      const run = runOf(prompt(1), agentStarted(), cancel(), answered('T1', stopReason));
      expect(run.state.lastTurn?.end).toEqual({ kind: 'stopped', stopReason });
    }
  });

  test('is cancelled if the cancel took away what the agent waited for', () => {
    const run = runOf(prompt(1), agentStarted(), asks('A1'), cancel(), answered('T1', 'end_turn'));
    expect(run.state.lastTurn?.end).toEqual(CANCELLED);
    const late = runOf(prompt(1), agentStarted(), cancel(), asks('A1'), answered('T1', 'end_turn'));
    expect(late.state.lastTurn?.end).toEqual(CANCELLED);
  });

  test('is what a mere rejection is not', () => {
    const run = runOf(prompt(1), agentStarted(), asks('A1'), answers('A1', 'no'));
    run.feed(answered('T1', 'end_turn'));
    expect(run.state.lastTurn?.end).toEqual({ kind: 'stopped', stopReason: 'end_turn' });
  });

  test('ends by force when the agent ignores the cancel, and the next prompt starts it anew', () => {
    const run = runOf(prompt(1), agentStarted(), cancel(), says('and on'), says('and on'));
    expect(run.feed(graceEnded('T1')).effects).toEqual([{ kind: 'end_agent' }]);
    run.feed(agentExited('T-next', true));
    expect(run.state.lastTurn?.end).toEqual({ ...CANCELLED, forced: true });
    expect(run.state.agent).toEqual({ kind: 'absent' });
    expect(run.feed(prompt(2)).effects).toEqual([{ kind: 'start_agent' }]);
  });

  test('leaves the session and its agent as they are', () => {
    const run = runOf(prompt(1), agentStarted(), cancel(), answered('T1', 'cancelled'));
    expect(run.state.agent.kind).toBe('running');
    expect(run.feed(prompt(2, { at: 80 })).effects).toMatchObject([
      { kind: 'send_prompt', turnId: 'T2' },
    ]);
  });

  test('is not hurt by a grace that ends late', () => {
    const run = runOf(prompt(1), agentStarted(), cancel(), answered('T1', 'cancelled'));
    run.feed(prompt(2, { at: 80 }));
    expect(run.feed(graceEnded('T1'))).toEqual({ events: [], effects: [] });
    expect(run.feed(graceEnded('T2'))).toEqual({ events: [], effects: [] });
  });

  test('keeps its late words out of the next turn', () => {
    const run = runOf(prompt(1), agentStarted(), cancel(), says('OLD'));
    run.feedAll(answered('T1', 'cancelled'), says('OLD', 31), prompt(2, { at: 90 }), says('NEW'));
    const turns = eventsOf({ events: run.log }, 'update').map(({ turnId }) => turnId);
    expect(turns).toEqual(['T1', undefined, 'T2']);
  });
});

describe('a turn in which nothing happens', () => {
  test('is cancelled for its user, but not while a person is asked or the agent starts', () => {
    expect(runOf(prompt(1), agentStarted(), turnIdle('T1')).effects).toMatchObject([
      { kind: 'start_agent' },
      { kind: 'send_prompt' },
      { kind: 'send_cancel' },
      { kind: 'set_cancel_grace' },
    ]);
    const asked = runOf(prompt(1), agentStarted(), asks('A1'));
    expect(asked.feed(turnIdle('T1')).events).toEqual([]);
    const starting = runOf(prompt(1));
    expect(starting.feed(turnIdle('T1')).events).toEqual([]);
    expect(starting.feed(agentStarted()).effects).toMatchObject([{ kind: 'send_prompt' }]);
  });
});
