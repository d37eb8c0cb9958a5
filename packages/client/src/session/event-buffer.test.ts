import { describe, expect, test } from 'vitest';
import { raw } from '../../../../tests/support/session/inputs.ts';
import type { LogItem } from './batch.ts';
import { EventBuffer } from './event-buffer.ts';

const LIMITS = { countMax: 4, lengthMax: 100 };

function item(seq: number, length = 1): LogItem {
  const data = { v: 1, update: raw({}) } as const;
  return { seq, length, event: { type: 'update', time: 0, data } };
}

async function takeSeqs(buffer: EventBuffer, count: number): Promise<number[]> {
  const seqs: number[] = [];
  for (let n = 0; n < count; n++) {
    const taken = await buffer.next(undefined);
    if (taken.kind === 'item') seqs.push(taken.item.seq);
  }
  return seqs;
}

describe('a buffer of events', () => {
  test('gives them in order, also to a reader that waits', async () => {
    const buffer = new EventBuffer(LIMITS);
    const waiting = takeSeqs(buffer, 3);
    buffer.push([item(1), item(2)], undefined);
    buffer.push([item(3)], undefined);
    expect(await waiting).toEqual([1, 2, 3]);
  });

  test('takes a batch whole, and none when it is full', async () => {
    const buffer = new EventBuffer(LIMITS);
    buffer.push([item(1), item(2), item(3)], 'c0');
    buffer.push([item(4), item(5), item(6)], 'c3');
    expect(buffer.isFull).toBe(true);
    buffer.push([item(7)], 'c6');
    buffer.push([item(8)], 'c7');
    expect(await takeSeqs(buffer, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await buffer.next(undefined)).toEqual({ kind: 'overflow', cursor: 'c6' });
  });

  test('is full by length too', () => {
    const buffer = new EventBuffer(LIMITS);
    buffer.push([item(1, 100)], 'c0');
    expect(buffer.isFull).toBe(true);
  });

  test('has room again when half of it was taken', async () => {
    const buffer = new EventBuffer(LIMITS);
    buffer.push([item(1), item(2), item(3), item(4)], undefined);
    await takeSeqs(buffer, 1);
    expect(buffer).toMatchObject({ isFull: false, hasRoom: false });
    await takeSeqs(buffer, 1);
    expect(buffer.hasRoom).toBe(true);
  });

  test('gives what it has before it ends', async () => {
    const buffer = new EventBuffer(LIMITS);
    const error = new Error('over');
    buffer.push([item(1)], undefined);
    buffer.end(error);
    buffer.end();
    buffer.push([item(2)], undefined);
    expect(await takeSeqs(buffer, 1)).toEqual([1]);
    expect(await buffer.next(undefined)).toEqual({ kind: 'end', error });
  });

  test('ends for a reader whose signal is aborted', async () => {
    const buffer = new EventBuffer(LIMITS);
    const abort = new AbortController();
    const waiting = buffer.next(abort.signal);
    abort.abort();
    expect(await waiting).toEqual({ kind: 'end', error: undefined });
  });
});
