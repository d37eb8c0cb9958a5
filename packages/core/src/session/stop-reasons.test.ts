import { STOP_REASONS } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import {
  agentStarted,
  answered,
  cancel,
  prompt,
  says,
  turnIdle,
} from '../../../../tests/support/session/inputs.ts';
import { effectsOf, runOf } from '../../../../tests/support/session/run.ts';
import type { TurnEnd } from './event.ts';

/** How a prompted turn ends that the agent answers like this. */
function endOf(answer: unknown): TurnEnd | undefined {
  const { lastTurn } = runOf(prompt(1), agentStarted(), answered('T1', answer)).state;
  return lastTurn?.end;
}

describe('the end of a turn', () => {
  test.for(STOP_REASONS)('keeps the stop reason %s apart from all others', (stopReason) => {
    expect(endOf(stopReason)).toEqual({ kind: 'stopped', stopReason });
  });

  test('is never "cancelled" unless somebody said so', () => {
    for (const reason of STOP_REASONS.filter((name) => name !== 'cancelled')) {
      expect(endOf(reason)).not.toMatchObject({ stopReason: 'cancelled' });
    }
    expect(endOf({ code: -32603 })).toMatchObject({ kind: 'failed', failure: 'agent_error' });
  });

  test.for([
    ['error', '"error"'],
    ['', '""'],
    ['End_Turn', '"End_Turn"'],
    [5, '5'],
    [null, 'null'],
    [undefined, 'nothing'],
    [{ deep: ['x'] }, '{"deep":["x"]}'],
  ] as const)('is no success for the stop reason %j, which stays readable', ([reason, shown]) => {
    expect(endOf(reason)).toEqual({
      kind: 'failed',
      failure: 'invalid_response',
      message: `the agent ended the turn with an unknown stop reason: ${shown}`,
    });
  });

  test('shows an endless stop reason shortened, and never half of a character', () => {
    for (let before = 90; before < 110; before++) {
      const end = endOf(`${'x'.repeat(before)}${'😀'.repeat(500_000)}`);
      if (end?.kind !== 'failed') throw new Error('the turn did not fail');
      expect(end.message.length).toBeLessThan(200);
      expect(end.message.isWellFormed()).toBe(true);
    }
  });

  test('keeps the code of an error, unless no JSON could carry it', () => {
    expect(endOf({ code: -32603 })).toMatchObject({ code: -32603 });
    expect(endOf({ code: Infinity })).not.toHaveProperty('code');
    expect(endOf({ code: -32000 })).toMatchObject({ failure: 'auth_required' });
    expect(endOf({ code: -32800 })).toEqual({ kind: 'stopped', stopReason: 'cancelled' });
  });

  test('is a failure after too long without a word, whatever the agent answers then', () => {
    for (const answer of [...STOP_REASONS, 'odd', { code: 1 }]) {
      const run = runOf(prompt(1), agentStarted(), says('half'), turnIdle('T1'));
      run.feed(answered('T1', answer));
      expect(run.state.lastTurn?.end).toMatchObject({ kind: 'failed', failure: 'turn_idle' });
    }
  });

  test('is told to whoever sent the prompt, once', () => {
    const run = runOf(prompt(1), agentStarted(), answered('T1', 'refusal'));
    run.feedAll(answered('T1', 'end_turn'), cancel('T1'));
    expect(effectsOf(run, 'settle_prompt')).toEqual([
      { kind: 'settle_prompt', promptId: 'P1', end: { kind: 'stopped', stopReason: 'refusal' } },
    ]);
  });
});
