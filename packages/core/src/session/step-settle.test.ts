import { describe, expect, test } from 'vitest';
import {
  agentExited,
  agentStarted,
  answered,
  asks,
  BOB,
  cancel,
  fact,
  prompt,
  recover,
  says,
  settleDeadline,
  turnIdle,
  update,
} from '../../../../tests/support/session/inputs.ts';
import { eventsOf, runOf, type SessionRun } from '../../../../tests/support/session/run.ts';

/** A turn that was cancelled and has ended at 30. The agent is to be quiet for 50 ms, within 200 ms. */
function stopped(): SessionRun {
  return runOf(prompt(1), agentStarted(), says('OLD'), cancel(), answered('T1', 'cancelled'));
}

/** The turns of the updates so far, by the text that the agent said. */
function turnsOfTexts({ log }: SessionRun): [string, string | undefined][] {
  return eventsOf({ events: log }, 'update').map(({ data, turnId }) => {
    const { content } = data.update.value as { content: { text: string } };
    return [content.text, turnId];
  });
}

describe('a prompt behind a turn that was stopped', () => {
  test('waits until the agent has been quiet, and every late word puts that off', () => {
    const run = stopped();
    const { events } = run.feed(prompt(2, { at: 31 }));
    expect(events.map(({ type }) => type)).toEqual(['prompt.queued', 'prompt.held']);
    expect(events[1]).toMatchObject({
      turnId: 'T1',
      data: { promptId: 'P2', quietMs: 50, endsAt: 231 },
    });
    for (let at = 40; at <= 120; at += 20) run.feed(says('OLD', at));
    expect(run.feed(settleDeadline(80)).effects).toEqual([
      { kind: 'set_settle_deadline', at: 170 },
    ]);
    expect(run.feed(settleDeadline(170, 'T2')).effects).toMatchObject([
      { kind: 'send_prompt', turnId: 'T2' },
    ]);
    run.feed(says('NEW', 171));
    const texts = turnsOfTexts(run);
    expect(texts[0]).toEqual(['OLD', 'T1']);
    expect(texts.slice(1, -1).every(([text, turn]) => text === 'OLD' && turn === undefined)).toBe(
      true,
    );
    expect(texts.at(-1)).toEqual(['NEW', 'T2']);
  });

  test('starts at once when the agent has been quiet for long enough already', () => {
    for (const quiet of [stopped(), stopped()]) {
      quiet.feed(says('OLD', 80));
      const { effects } = quiet.feed(prompt(2, { at: 81 }));
      expect(effects).toMatchObject([{ kind: 'send_prompt', turnId: 'T2' }]);
    }
  });

  test('starts at once where the wait is turned off', () => {
    const run = stopped();
    run.settings = { ...run.settings, settleMs: 0 };
    expect(run.feed(prompt(2, { at: 30 })).effects).toMatchObject([{ kind: 'send_prompt' }]);
    run.feedAll(prompt(3), cancel(), prompt(4));
    const { effects } = run.feed(answered('T2', 'cancelled', 'T4'));
    expect(effects.at(-1)).toMatchObject({ kind: 'send_prompt', turnId: 'T4' });
  });

  test('waits likewise when it was queued before the turn ended', () => {
    const run = runOf(prompt(1), agentStarted(), cancel(), prompt(2), prompt(3));
    const { events, effects } = run.feed(answered('T1', 'cancelled'));
    expect(events.map(({ type }) => type)).toEqual(['turn.finished', 'prompt.held']);
    expect(effects.at(-1)).toEqual({ kind: 'set_settle_deadline', at: 80 });
    expect(run.feed(settleDeadline(80, 'T2')).events).toMatchObject([
      { type: 'turn.started', data: { promptId: 'P2' } },
    ]);
    expect(run.state.queue.map(({ promptId }) => promptId)).toEqual(['P3']);
  });

  test('waits in front of those that come behind it, and is no reason to refuse the first', () => {
    const run = stopped();
    run.feed(prompt(2, { at: 31, whenBusy: 'refuse' }));
    expect(run.feed(prompt(3, { at: 32, whenBusy: 'refuse' })).effects).toEqual([
      { kind: 'refuse_prompt', promptId: 'P3', refusal: 'busy' },
    ]);
    // The time is over, but the news of that has not come yet.
    run.feed(prompt(4, { at: 90 }));
    expect(run.state.queue.map(({ promptId }) => promptId)).toEqual(['P2', 'P4']);
  });

  test('goes to a new process when the agent does not stop talking', () => {
    const run = stopped();
    run.feed(prompt(2, { at: 31 }));
    for (let at = 40; at <= 231; at += 20) run.feed(says('OLD', at));
    expect(run.feed(settleDeadline(230)).effects).toEqual([
      { kind: 'set_settle_deadline', at: 231 },
    ]);
    expect(run.feed(settleDeadline(231)).effects).toEqual([{ kind: 'end_agent' }]);
    run.feed(says('OLD', 232));
    const { events, effects } = run.feed(agentExited('T2', true));
    expect(events.map(({ type }) => type)).toEqual(['agent.exited', 'turn.started']);
    expect(effects).toEqual([{ kind: 'start_agent' }]);
    expect(run.feed(agentStarted()).effects).toMatchObject([{ kind: 'send_prompt', turnId: 'T2' }]);
  });

  test('needs not wait for an agent that dies', () => {
    const run = stopped();
    run.feed(prompt(2, { at: 31 }));
    expect(run.feed(agentExited('T2')).effects).toEqual([{ kind: 'start_agent' }]);
    expect(run.feed(settleDeadline(80))).toEqual({ events: [], effects: [] });
  });

  test('is dropped by a cancel, after which the next one waits for its own time', () => {
    const run = stopped();
    run.feed(prompt(2, { at: 31 }));
    expect(run.feed(cancel('T1', BOB))).toEqual({ events: [], effects: [] });
    const { events, effects } = run.feed(cancel(undefined, BOB));
    expect(events).toMatchObject([{ type: 'prompt.dropped', data: { promptId: 'P2', by: BOB } }]);
    expect(effects).toEqual([
      { kind: 'settle_prompt', promptId: 'P2', end: { kind: 'stopped', stopReason: 'cancelled' } },
    ]);
    expect(run.feed(settleDeadline(80))).toEqual({ events: [], effects: [] });
    run.feedAll(says('OLD', 60), prompt(3, { at: 70 }));
    expect(run.state.settling?.hold).toEqual({ quietMs: 50, endsAt: 270 });
  });

  test('is dropped when the host ends, and nothing is left to wait for', () => {
    const run = stopped();
    run.feedAll(prompt(2, { at: 31 }), recover);
    expect(run.state).toMatchObject({ queue: [], settling: undefined, agent: { kind: 'absent' } });
  });

  test.for([
    ['the agent answers with an error', answered('T1', { code: -32603 })],
    ['the agent makes up a stop reason', answered('T1', 'error')],
  ])('waits when %s', ([, end]) => {
    const run = runOf(prompt(1), agentStarted(), prompt(2));
    if (end !== undefined && typeof end !== 'string') run.feed(end);
    expect(run.state.settling).toMatchObject({ isCancelled: false, hold: { quietMs: 50 } });
  });

  test('waits behind a turn that was given up by a deadline', () => {
    const run = runOf(prompt(1), agentStarted(), turnIdle('T1'), prompt(2));
    run.feed(answered('T1', 'end_turn'));
    expect(run.state.settling?.hold).toBeDefined();
  });

  test.for(['end_turn', 'max_tokens', 'refusal', { code: -32000 }])(
    'does not wait behind one that ended by itself (%j)',
    (answer) => {
      const run = runOf(prompt(1), agentStarted(), prompt(2));
      const { effects } = run.feed(answered('T1', answer, 'T2'));
      expect(effects.at(-1)).toMatchObject({ kind: 'send_prompt', turnId: 'T2' });
      expect(run.feed(answered('T2', answer)).events).toHaveLength(1);
      expect(run.feed(prompt(3, { at: 30 })).effects).toMatchObject([{ kind: 'send_prompt' }]);
    },
  );
});

describe('an agent that goes on behind a cancel', () => {
  test('is heard by what it does as well, but not by what the host does', () => {
    const run = stopped();
    const read = { path: '/f', realPath: '/f', bytes: 1, digestBefore: null, digestAfter: null };
    run.feed({ ...fact({ type: 'file.accessed', data: { kind: 'read', ...read } }), at: 41 });
    expect(run.state.settling?.heardAt).toBe(41);
    const mode = { sessionUpdate: 'current_mode_update', currentModeId: 'code' };
    run.feed({ ...update(mode, undefined, 60), by: BOB } as never);
    expect(run.state.settling?.heardAt).toBe(41);
    run.feed(update({ sessionUpdate: 'plan' }, 'entries missing', 61));
    expect(run.state.settling?.heardAt).toBe(61);
  });

  test('gets no leave to do more, until it has been quiet', () => {
    const run = stopped();
    expect(run.feed({ ...asks('A1'), at: 40 }).events).toMatchObject([
      { type: 'permission.requested' },
      { type: 'permission.resolved', data: { withdrawal: 'turn_cancelled' } },
    ]);
    expect(run.feed({ ...asks('A2'), at: 90 }).effects).toMatchObject([
      { kind: 'set_permission_deadline' },
    ]);
  });

  test('of a turn that failed may ask, since nobody has said stop', () => {
    const run = runOf(prompt(1), agentStarted(), answered('T1', { code: -32603 }));
    expect(run.feed({ ...asks('A1'), at: 40 }).events).toHaveLength(1);
  });
});
