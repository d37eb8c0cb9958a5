import type { SessionUpdate } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import {
  agentExited,
  agentStarted,
  answered,
  asks,
  prompt,
  says,
  update,
} from '../../../../tests/support/session/inputs.ts';
import { eventsOf, runOf, type SessionRun } from '../../../../tests/support/session/run.ts';
import { toTranscript } from '../transcript/fold.ts';
import type { ToolCallEntry } from '../transcript/tool-call-entry.ts';
import { turnText } from '../transcript/turn-text.ts';
import type { SessionInput } from './input.ts';
import type { TurnId } from './ids.ts';
import {
  beginTurn,
  isAboutBefore,
  noteSpoken,
  NOTHING_SPOKEN,
  SPOKEN_BEFORE_MAX,
  SPOKEN_NOW_MAX,
} from './spoken-ids.ts';

function call(status?: string, more: object = {}): SessionInput {
  return update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Run it', status, ...more });
}

function news(status?: string, more: object = {}): SessionInput {
  return update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status, ...more });
}

/** A first turn with these inputs, and a second one that has begun. */
function secondTurn(...first: readonly SessionInput[]): SessionRun {
  return runOf(prompt(1), agentStarted(), ...first, answered('T1', 'end_turn'), prompt(2));
}

function lastTurnId({ log }: SessionRun): string | undefined {
  return eventsOf({ events: log }, 'update').at(-1)?.turnId;
}

function callsOf(run: SessionRun): ToolCallEntry[] {
  const { entries } = toTranscript(run.stored());
  return entries.filter((entry): entry is ToolCallEntry => entry.kind === 'tool_call');
}

describe('an update that comes while the next turn runs', () => {
  test('is outside of it when it goes on with a message of before', () => {
    const run = secondTurn(says('one', 15, 'm1'));
    run.feedAll(says('two', 15, 'm2'), says('LATE', 15, 'm1'), says('three', 15, 'm2'));
    const turns = eventsOf({ events: run.log }, 'update').map(({ turnId }) => turnId);
    expect(turns).toEqual(['T1', 'T2', undefined, 'T2']);
    const transcript = toTranscript(run.stored());
    expect(turnText(transcript, 'T2' as TurnId)).toBe('twothree');
    expect(turnText(transcript, 'T1' as TurnId)).toBe('one');
  });

  test('is outside of it when it is news of a tool call of before, which it changes', () => {
    const run = secondTurn(call('in_progress'), says('one'));
    run.feedAll(says('t'), news('completed', { title: 'Ran it' }), says('wo'));
    const transcript = toTranscript(run.stored());
    expect(turnText(transcript, 'T2' as TurnId)).toBe('two');
    expect(callsOf(run)).toMatchObject([{ turnId: 'T1', status: 'completed', title: 'Ran it' }]);
    // It has ended now, so another title is another call.
    run.feed(news('in_progress', { title: 'Again' }));
    expect(lastTurnId(run)).toBe('T2');
    expect(callsOf(run)).toHaveLength(2);
  });

  test('does not bring a tool call of before into the decisions of this turn', () => {
    const run = secondTurn(call('in_progress'));
    run.feed(news('in_progress', { rawInput: { secret: 1 } }));
    expect(run.state.toolCalls.size).toBe(0);
  });

  test('is of it when the tool call is announced anew, or leave for it is asked', () => {
    for (const again of [call('pending'), asks('A1', undefined, { toolCallId: 'c' })]) {
      const run = secondTurn(call('completed'));
      run.feedAll(again, news('in_progress'));
      expect(lastTurnId(run)).toBe('T2');
      expect(callsOf(run).map(({ turnId }) => turnId)).toEqual(['T1', 'T2']);
    }
  });

  test('is of it when nothing is known of what it names', () => {
    const run = secondTurn();
    run.feed(news('in_progress'));
    expect(lastTurnId(run)).toBe('T2');
    run.feed(says('x', 15, 'm1'));
    expect(lastTurnId(run)).toBe('T2');
  });

  test('is outside of it when what it names began between the turns', () => {
    const run = runOf(prompt(1), agentStarted(), answered('T1', 'end_turn'), says('x', 15, 'm'));
    run.feedAll(prompt(2), says('y', 15, 'm'));
    expect(lastTurnId(run)).toBeUndefined();
  });

  test('is of it when another process of the agent uses the ids of the one before', () => {
    const run = runOf(prompt(1), agentStarted(), says('x', 15, 'm'), call('in_progress'));
    run.feedAll(agentExited(), prompt(2), agentStarted(), says('y', 15, 'm'));
    expect(lastTurnId(run)).toBe('T2');
    run.feed(news('completed'));
    expect(lastTurnId(run)).toBe('T2');
  });
});

describe('what an agent has named', () => {
  const say = (messageId: string): SessionUpdate => ({
    sessionUpdate: 'agent_message_chunk',
    messageId,
    content: { type: 'text', text: 'x' },
  });
  const start = (
    toolCallId: string,
    status: 'pending' | 'in_progress' = 'pending',
  ): SessionUpdate => ({
    sessionUpdate: 'tool_call',
    toolCallId,
    title: 't',
    status,
  });

  test('is remembered up to a bound, and the newest counts', () => {
    let spoken = NOTHING_SPOKEN;
    const turns = 2 + SPOKEN_BEFORE_MAX / SPOKEN_NOW_MAX;
    for (let turn = 0; turn < turns; turn++) {
      for (let n = 0; n < SPOKEN_NOW_MAX + 3; n++) {
        spoken = noteSpoken(noteSpoken(spoken, say(`${turn}/${n}`)), start(`${turn}/${n}`));
      }
      expect(spoken.now.messages.size).toBe(SPOKEN_NOW_MAX);
      expect(spoken.now.toolCalls.size).toBe(SPOKEN_NOW_MAX);
      spoken = beginTurn(spoken);
    }
    expect(spoken.before.messages.size).toBe(SPOKEN_BEFORE_MAX);
    expect(spoken.before.toolCalls.size).toBe(SPOKEN_BEFORE_MAX);
    expect(isAboutBefore(spoken, say(`${turns - 1}/0`))).toBe(true);
    expect(isAboutBefore(spoken, say('0/0'))).toBe(false);
  });

  test('costs nothing when it is named again', () => {
    const spoken = noteSpoken(noteSpoken(NOTHING_SPOKEN, say('m')), start('c'));
    expect(noteSpoken(spoken, say('m'))).toBe(spoken);
    expect(noteSpoken(spoken, start('c', 'in_progress'))).toBe(spoken);
  });

  test.for([[null], ['x'], [{}], [{ sessionUpdate: 'agent_message_chunk', messageId: 5 }]])(
    'is not looked for in what is no update (%j)',
    ([value]) => {
      expect(isAboutBefore(NOTHING_SPOKEN, value)).toBe(false);
    },
  );
});
