import { expect, it } from 'vitest';
import { isServerError } from './server-error.ts';
import { DEFAULT_SERVER_LIMITS, toServerLimits } from './server-limits.ts';

it('limits that are not given have their defaults', () => {
  expect(toServerLimits()).toEqual(DEFAULT_SERVER_LIMITS);
  expect(toServerLimits({ stallMs: 1 })).toEqual({ ...DEFAULT_SERVER_LIMITS, stallMs: 1 });
});

it.for([0, -1, 1.5, Number.NaN, Infinity, 2 ** 31])('a limit is never %d', (socketsMax) => {
  let thrown: unknown;
  try {
    toServerLimits({ socketsMax });
  } catch (error) {
    thrown = error;
  }
  expect(isServerError(thrown, 'options_invalid')).toBe(true);
  expect(String(thrown)).toContain('socketsMax');
});
