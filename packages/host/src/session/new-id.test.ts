import { expect, test } from 'vitest';
import { newSessionId } from './new-id.ts';

test('ids of sessions sort by the millisecond in which they were made', () => {
  const begin = Date.UTC(2026, 0, 2, 3, 4, 5);
  const ids = Array.from({ length: 2000 }, (_, milliseconds) => newSessionId(begin + milliseconds));
  expect(ids.toSorted()).toEqual(ids);
  expect(ids[0]).toMatch(/^20260102-030405-00[0-9a-z]{10}$/);
  expect(ids[1999]).toMatch(/^20260102-030406-z7[0-9a-z]{10}$/);
});

test('no two ids are the same', () => {
  const ids = new Set(Array.from({ length: 1000 }, () => newSessionId(0)));
  expect(ids.size).toBe(1000);
});
