import { expect, test } from 'vitest';
import { Waiters } from './waiters.ts';

test('each waiter is told once, and only its own outcome', async () => {
  const waiters = new Waiters<number>();
  const [a, b] = [waiters.wait('a'), waiters.wait('b')];
  waiters.settle('b', 2);
  waiters.settle('a', 1);
  waiters.settle('a', 9);
  waiters.fail('a', new Error('late'));
  waiters.settle('nobody', 3);
  expect(await Promise.all([a, b])).toEqual([1, 2]);
  expect(waiters.size).toBe(0);
});

test('all who wait for one name are told', async () => {
  const waiters = new Waiters<number>();
  const both = [waiters.wait('a'), waiters.wait('a')];
  waiters.settle('a', 4);
  expect(await Promise.all(both)).toEqual([4, 4]);
});

test('all that wait can be told at once', async () => {
  const waiters = new Waiters<number>();
  const failing = [waiters.wait('a'), waiters.wait('b')];
  waiters.failAll(new Error('over'));
  for (const waiter of failing) await expect(waiter).rejects.toThrow('over');
  const settling = waiters.wait('c');
  waiters.settleAll(7);
  expect(await settling).toBe(7);
  expect(waiters.size).toBe(0);
});
