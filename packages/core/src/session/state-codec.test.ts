import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyStory, tell } from '../../../../tests/support/session/any-story.ts';
import {
  agentStarted,
  answered,
  asks,
  cancel,
  prompt,
} from '../../../../tests/support/session/inputs.ts';
import { runOf } from '../../../../tests/support/session/run.ts';
import type { CoreError } from '../core-error.ts';
import { reduce } from './reduce.ts';
import { decodeState, encodeState } from './state-codec.ts';
import { INITIAL_STATE, type SessionState } from './state.ts';

/** What comes back from where it was stored. */
function stored(state: SessionState): SessionState {
  return decodeState(asJson(state));
}

function asJson(state: SessionState): Record<string, unknown> {
  return JSON.parse(JSON.stringify(encodeState(state))) as Record<string, unknown>;
}

const malformed = expect.objectContaining({ code: 'state_malformed' }) as CoreError;

describe('a state that was stored', () => {
  test('is the same, wherever in its log it is, and all that follows gives the same', () => {
    fc.assert(
      fc.property(anyStory, fc.nat(), (happenings, n) => {
        const { log, state: whole } = tell(happenings);
        const at = n % log.length;
        const state = log.slice(0, at).reduce(reduce, INITIAL_STATE);
        const decoded = stored(state);
        expect(decoded).toEqual(state);
        expect(log.slice(at).reduce(reduce, decoded)).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  test('of a session without any event is the initial one', () => {
    expect(stored(INITIAL_STATE)).toStrictEqual(INITIAL_STATE);
  });
});

describe('what is no state of ours', () => {
  const stopped = [prompt(1), agentStarted(), cancel(), answered('T1', 'cancelled')];
  const { state } = runOf(...stopped, prompt(2, { at: 40 }), prompt(3), asks('A1'));
  const good = asJson(state);

  test.for([undefined, null, 5, 'x', [], {}, { format: 'state/1' }])('%j is refused', (value) => {
    expect(() => decodeState(value)).toThrow(malformed);
  });

  test('is refused with what is wrong and where', () => {
    expect(() => decodeState({ ...good, turnCount: -1 })).toThrow(
      "this is not a session's state of the format state/2: /turnCount must be a whole number",
    );
  });

  test('is refused when a member is something else, or is missing', () => {
    const optional = [
      ...['sessionId', 'lastTurn', 'settling', 'title', 'takenContent', 'lastAgentSessionId'],
    ];
    for (const key of Object.keys(good)) {
      expect(() => decodeState({ ...good, [key]: { odd: true } }), key).toThrow(malformed);
      const { [key]: _, ...rest } = good;
      if (!optional.includes(key)) expect(() => decodeState(rest), key).toThrow(malformed);
    }
  });
});
