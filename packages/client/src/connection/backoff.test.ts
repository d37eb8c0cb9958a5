import { describe, expect, test } from 'vitest';
import { backoffMs, DEFAULT_BACKOFF } from './backoff.ts';

describe('the wait before an attempt', () => {
  test.for([
    [1, 500],
    [2, 1000],
    [3, 2000],
    [6, 16_000],
    [7, 30_000],
    [1000, 30_000],
  ] as const)('is below the bound of attempt %i, which is %i ms', ([attempt, bound]) => {
    expect(backoffMs(attempt, 0, DEFAULT_BACKOFF)).toBe(0);
    expect(backoffMs(attempt, 0.5, DEFAULT_BACKOFF)).toBe(bound / 2);
    expect(backoffMs(attempt, 0.999_999, DEFAULT_BACKOFF)).toBe(bound - 1);
  });
});
