import { RawJson, type ToolCallUpdate } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import {
  agentStarted,
  answered,
  answers,
  asks,
  BOB,
  cancel,
  deadline,
  OPTIONS,
  prompt,
  update,
} from '../../../../tests/support/session/inputs.ts';
import {
  effectsOf,
  eventsOf,
  runOf,
  type SessionRun,
} from '../../../../tests/support/session/run.ts';
import { decodeEvent, encodeEvent } from './event-text.ts';
import { reduceAll } from './reduce.ts';
import { INITIAL_STATE } from './state.ts';

function prompted(): SessionRun {
  return runOf(prompt(1), agentStarted());
}

describe('a permission request', () => {
  test('waits for a person under a deadline that is in the log', () => {
    const run = prompted();
    const { events, effects } = run.feed(asks('A1'));
    expect(events).toMatchObject([{ type: 'permission.requested', data: { deadline: 1016 } }]);
    expect(effects).toEqual([{ kind: 'set_permission_deadline', permissionId: 'A1', at: 1016 }]);
  });

  test('goes to the first valid answer; the second is told that it came too late', () => {
    const run = prompted();
    run.feedAll(asks('A1'), answers('A1', 'yes'), answers('A1', 'no', BOB), deadline('A1'));
    expect(effectsOf(run, 'answer_permission')).toEqual([
      {
        kind: 'answer_permission',
        permissionId: 'A1',
        outcome: { kind: 'selected', optionId: 'yes' },
      },
    ]);
    expect(effectsOf(run, 'settle_answer')).toEqual([
      { kind: 'settle_answer', answerId: 'answer-alice' },
      { kind: 'settle_answer', answerId: 'answer-bob', refusal: 'permission_not_pending' },
    ]);
  });

  test('goes on waiting after an answer that it does not offer', () => {
    const run = prompted();
    run.feedAll(asks('A1'), answers('A1', 'maybe'));
    expect(effectsOf(run, 'settle_answer')).toMatchObject([{ refusal: 'option_not_offered' }]);
    expect(run.state.permissions.size).toBe(1);
  });

  test('takes any option id as it is', () => {
    const ids = ['allow-x', 'deny__y', 'ALLOW', '', 'a b/ü', 'x'.repeat(300), '__proto__'];
    for (const optionId of ids) {
      const options = [...OPTIONS, { optionId, name: 'Odd', kind: 'allow_once' as const }];
      const run = prompted();
      run.feedAll(asks('A1', options), answers('A1', optionId));
      expect(effectsOf(run, 'answer_permission')).toMatchObject([{ outcome: { optionId } }]);
    }
  });

  test('that is denied gets the reject option, so that the turn goes on', () => {
    for (const input of [answers('A1'), deadline('A1')]) {
      const run = prompted();
      run.feedAll(asks('A1'), input);
      expect(effectsOf(run, 'answer_permission')).toMatchObject([{ outcome: { optionId: 'no' } }]);
      expect(run.state.turn.kind).toBe('running');
    }
  });

  test('that cannot be denied is cancelled, and the log says why', () => {
    const run = prompted();
    run.feedAll(asks('A1', OPTIONS.slice(0, 2)), deadline('A1'));
    expect(eventsOf({ events: run.log }, 'permission.resolved')).toMatchObject([
      { data: { outcome: { kind: 'cancelled' }, withdrawal: 'no_fitting_option' } },
    ]);
  });

  test('without options is cancelled at once, because nobody could answer it', () => {
    const run = prompted();
    const { effects } = run.feed(asks('A1', []));
    expect(effects).toContainEqual({
      kind: 'answer_permission',
      permissionId: 'A1',
      outcome: { kind: 'cancelled' },
    });
    expect(run.state.permissions.size).toBe(0);
  });

  test('that policy decides is in the log with its decision and never waits', () => {
    for (const [policyLevel, optionId] of [
      ['allow', 'yes'],
      ['deny', 'no'],
    ] as const) {
      const run = prompted();
      run.settings = { ...run.settings, policyLevel };
      const { events } = run.feed(asks('A1'));
      expect(events).toMatchObject([
        { type: 'permission.requested' },
        {
          type: 'permission.resolved',
          data: { outcome: { optionId }, by: { kind: 'policy', rule: `level:${policyLevel}` } },
        },
      ]);
      expect(events[0]?.data).not.toHaveProperty('deadline');
    }
  });

  test('that was withdrawn by a cancel refuses a late answer', () => {
    const run = prompted();
    run.feedAll(asks('A1'), cancel(), answers('A1', 'yes'));
    expect(effectsOf(run, 'answer_permission')).toMatchObject([{ outcome: { kind: 'cancelled' } }]);
    expect(effectsOf(run, 'settle_answer')).toMatchObject([{ refusal: 'permission_not_pending' }]);
  });

  test('is given up with the turn in which its agent left it open', () => {
    const run = prompted();
    run.feedAll(asks('A1'), answered('T1', 'end_turn'));
    expect(eventsOf({ events: run.log }, 'permission.resolved')).toMatchObject([
      { turnId: 'T1', data: { withdrawal: 'turn_ended' } },
    ]);
  });

  test('from outside of a turn waits on while a turn comes and goes', () => {
    const run = runOf(prompt(1), agentStarted(), answered('T1', 'end_turn'), asks('A1'));
    run.feedAll(prompt(2), asks('A2'), answered('T2', 'end_turn'));
    expect([...run.state.permissions.keys()]).toEqual(['A1']);
    run.feed(answers('A1', 'yes'));
    expect(effectsOf(run, 'answer_permission').map(({ permissionId }) => permissionId)).toEqual([
      'A2',
      'A1',
    ]);
  });

  test('of an agent that is not there any more is withdrawn at once', () => {
    const run = runOf(prompt(1), cancel());
    const { events } = run.feed(asks('A1'));
    expect(events).toMatchObject([
      { type: 'permission.requested' },
      { type: 'permission.resolved', data: { withdrawal: 'agent_gone' } },
    ]);
  });

  test('is judged by all that is known of its tool call, in the exact words', () => {
    const run = prompted();
    run.feed({
      kind: 'update',
      at: 1,
      update: new RawJson(
        '{"sessionUpdate":"tool_call","toolCallId":"call","title":"Write","kind":"edit",' +
          '"locations":[{"path":"/project/a"}],"rawInput":{"size":9007199254740993}}',
      ),
    });
    run.feed(asks('A1', OPTIONS, { toolCallId: 'call', title: 'Write a' }));
    const action = run.state.permissions.values().next().value?.action;
    expect(action).toMatchObject({
      kind: 'edit',
      title: 'Write a',
      paths: ['/project/a'],
      cwd: '/work',
    });
    expect(action?.rawInput?.text).toBe('{"size":9007199254740993}');
  });

  test('with odd members is understood the same live and from the log', () => {
    const odd = { toolCallId: 'call', title: 5, kind: 'teleport', locations: 'here' };
    const options = [{ ...OPTIONS[0], _meta: 7 }, OPTIONS[2]];
    const run = prompted();
    run.feed(asks('A1', options as typeof OPTIONS, odd as unknown as ToolCallUpdate));
    expect([...run.state.toolCalls.values()]).toMatchObject([{ title: '', kind: 'other' }]);
    const read = run.log.map((event) => decodeEvent(encodeEvent(event)));
    expect(reduceAll(INITIAL_STATE, read)).toEqual(run.state);
  });

  test('outside of a turn is judged by what the agent has told since the last one', () => {
    const run = runOf(prompt(1), agentStarted(), answered('T1', 'end_turn'));
    run.feed(update({ sessionUpdate: 'tool_call', toolCallId: 'call', title: 'x', kind: 'fetch' }));
    run.feed(asks('A1', OPTIONS, { toolCallId: 'call' }));
    expect(run.state.permissions.values().next().value?.action).toMatchObject({ kind: 'fetch' });
  });
});
