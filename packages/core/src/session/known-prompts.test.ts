import { RawJson } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import {
  answered,
  cancel,
  prompt,
  agentStarted,
} from '../../../../tests/support/session/inputs.ts';
import { eventsOf, runOf } from '../../../../tests/support/session/run.ts';
import type { PromptId } from './ids.ts';
import { contentMarkOf, knowPrompt, knowPromptEnd, KNOWN_PROMPTS_MAX } from './known-prompts.ts';

const END = { kind: 'stopped', stopReason: 'end_turn' } as const;
const id = (n: number): PromptId => `P${n}` as PromptId;

describe('prompts that a session knows', () => {
  test('do not run again, whether they wait, run, or have ended', () => {
    const run = runOf(prompt(1), agentStarted(), prompt(2));
    expect(run.feed(prompt(1))).toEqual({ events: [], effects: [] });
    expect(run.feed(prompt(2))).toEqual({ events: [], effects: [] });
    run.feed(answered('T1', 'end_turn'));
    expect(run.feed(prompt(1)).effects).toEqual([
      { kind: 'repeat_outcome', promptId: 'P1', end: END },
    ]);
    expect(eventsOf({ events: run.log }, 'turn.started')).toHaveLength(2);
  });

  test('that were dropped with a cancelled turn have ended as cancelled', () => {
    const run = runOf(prompt(1), agentStarted(), prompt(2), cancel());
    expect(run.feed(prompt(2)).effects).toEqual([
      { kind: 'repeat_outcome', promptId: 'P2', end: { kind: 'stopped', stopReason: 'cancelled' } },
    ]);
  });

  test('are forgotten in the order in which they ended, and never while they wait', () => {
    const content = new RawJson('[]');
    let known = knowPrompt([], id(0), content);
    for (let n = 1; n <= KNOWN_PROMPTS_MAX + 3; n++) {
      known = knowPromptEnd(knowPrompt(known, id(n), content), id(n), END);
    }
    const ids = known.map(({ promptId }) => promptId);
    expect(ids).toHaveLength(KNOWN_PROMPTS_MAX + 1);
    expect(ids.slice(0, 2)).toEqual([id(0), id(4)]);
  });

  test('are told apart by their exact text', () => {
    const marks = ['[]', '[ ]', '[1]', '[2]'].map((text) => contentMarkOf(new RawJson(text)));
    expect(new Set(marks).size).toBe(marks.length);
  });
});
