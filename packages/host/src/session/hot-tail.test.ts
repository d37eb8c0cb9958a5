import { expect, test } from 'vitest';
import { HotTail } from './hot-tail.ts';

function entry(seq: number, length = 10) {
  return { seq, body: 'x'.repeat(length) };
}

test('gives what came after a place, while all of it is still there', () => {
  const tail = new HotTail(5);
  expect(tail.after(5)).toEqual([]);
  expect(tail.after(4)).toBeUndefined();
  tail.push([entry(6), entry(7)]);
  expect(tail.headSeq).toBe(7);
  expect(tail.after(4)).toBeUndefined();
  expect(tail.after(5)).toEqual([entry(6), entry(7)]);
  expect(tail.after(6)).toEqual([entry(7)]);
  expect(tail.after(7)).toEqual([]);
  expect(tail.after(99)).toEqual([]);
});

test('keeps no more than its size, also of one event that is larger', () => {
  const tail = new HotTail(0);
  tail.push([entry(1, 200_000), entry(2, 60_000), entry(3, 10_000)]);
  expect(tail.after(0)).toBeUndefined();
  expect(tail.after(1)?.map(({ seq }) => seq)).toEqual([2, 3]);
  tail.push([entry(4, 300_000)]);
  expect(tail.after(3)).toBeUndefined();
  expect(tail.after(4)).toEqual([]);
  tail.push([entry(5)]);
  expect(tail.after(4)).toEqual([entry(5)]);
});

test('wakes whoever waits when the head moves, when it is closed, and when the waiter gives up', async () => {
  const tail = new HotTail(0);
  const moved = tail.whenPast(0);
  const far = tail.whenPast(2);
  const stop = new AbortController();
  const givenUp = tail.whenPast(0, stop.signal);
  stop.abort();
  await givenUp;
  tail.push([entry(1)]);
  await moved;
  tail.push([entry(2)]);
  tail.close();
  await far;
  await tail.whenPast(100);
  await new HotTail(0).whenPast(0, stop.signal);
});
