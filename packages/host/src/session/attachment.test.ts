import { createMemoryJournal, type Journal, type StoredEntry } from '@signalbox/core';
import { expect, test } from 'vitest';
import { followLog } from './attachment.ts';
import { HotTail } from './hot-tail.ts';

const ID = 'session';

/** Appends events to the journal, and to the tail as their writer does. */
async function append(journal: Journal, tail: HotTail, count: number): Promise<void> {
  const { headSeq } = tail;
  const entries = Array.from({ length: count }, (_, i) => ({ seq: headSeq + i + 1, body: '{}' }));
  await journal.append(ID, { generation: 1, expectedSeq: headSeq }, entries);
  tail.push(entries);
}

async function setUp(): Promise<{ journal: Journal; tail: HotTail }> {
  const journal = createMemoryJournal();
  const before = new HotTail(0);
  await append(journal, before, 3);
  // What was there before is in the journal only.
  return { journal, tail: new HotTail(before.headSeq) };
}

const seqsOf = (entries: readonly StoredEntry[]): number[] => entries.map(({ seq }) => seq);

test('reads what was, then what comes, and ends when the log is closed', async () => {
  const { journal, tail } = await setUp();
  const seqs: number[] = [];
  const followed = (async () => {
    for await (const entries of followLog(journal, ID, tail, 1)) {
      seqs.push(...seqsOf(entries));
      if (seqs.at(-1) === 3) await append(journal, tail, 2);
      else if (seqs.at(-1) === 5) setImmediate(() => void append(journal, tail, 1));
      else tail.close();
    }
  })();
  await followed;
  expect(seqs).toEqual([2, 3, 4, 5, 6]);
});

test('ends when it is given up, wherever it is', async () => {
  const { journal, tail } = await setUp();
  const before = AbortSignal.abort();
  expect(await followLog(journal, ID, tail, 0, before)[Symbol.asyncIterator]().next()).toEqual({
    done: true,
    value: undefined,
  });
  const waiting = new AbortController();
  const iterator = followLog(journal, ID, tail, 3, waiting.signal)[Symbol.asyncIterator]();
  const next = iterator.next();
  setImmediate(() => waiting.abort());
  expect(await next).toEqual({ done: true, value: undefined });
});
