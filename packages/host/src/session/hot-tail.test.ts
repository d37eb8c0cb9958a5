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

test('keeps no more than its size, but for the newest event', () => {
  const tail = new HotTail(0);
  tail.push([entry(1, 200_000), entry(2, 60_000), entry(3, 10_000)]);
  expect(tail.after(0)).toBeUndefined();
  expect(tail.after(1)?.map(({ seq }) => seq)).toEqual([2, 3]);
  tail.push([entry(4, 2_000_000)]);
  expect(tail.after(2)).toBeUndefined();
  expect(tail.after(3)?.map(({ seq }) => seq)).toEqual([4]);
  tail.push([entry(5)]);
  expect(tail.after(3)).toBeUndefined();
  expect(tail.after(4)).toEqual([entry(5)]);
});

test('keeps not even the newest event if it is very large', () => {
  const tail = new HotTail(4);
  tail.push([entry(4, 5_000_000)]);
  expect(tail.after(3)).toBeUndefined();
  expect(tail.after(4)).toEqual([]);
  tail.push([entry(5)]);
  expect(tail.after(4)).toEqual([entry(5)]);
});

test('wakes whoever waits once, when the head moves or it is closed, and nobody who has given up', () => {
  const tail = new HotTail(0);
  const woken: string[] = [];
  const givenUp = (): number => woken.push('given up');
  tail.onNextMove(() => woken.push('one'));
  tail.onNextMove(givenUp);
  tail.offNextMove(givenUp);
  tail.push([entry(1)]);
  expect(woken).toEqual(['one']);
  // Whoever waits anew while it is woken waits for the next time.
  const again = (): void => {
    woken.push('again');
    tail.onNextMove(again);
  };
  tail.onNextMove(again);
  tail.push([entry(2)]);
  tail.close();
  expect(woken).toEqual(['one', 'again', 'again']);
});
