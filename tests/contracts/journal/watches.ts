import type { Journal } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { numbered, openJournal } from './store.ts';
import type { JournalSetup } from './store.ts';

export function describeWatches(setup: JournalSetup): void {
  describe('watch', () => {
    test('tells each watcher the new head of its stream', async () => {
      const journal = await openJournal(setup);
      await journal.append('a', { generation: 1, expectedSeq: 0 }, numbered(2));
      const first = seqReached(journal, 'a', 5);
      const second = seqReached(journal, 'a', 5);
      await journal.append('a', { generation: 1, expectedSeq: 2 }, numbered(3));
      await Promise.all([first, second]);
      const next = seqReached(journal, 'a', 6);
      await journal.append('a', { generation: 1, expectedSeq: 5 }, numbered(1));
      await next;
    });

    test('is silent about other streams, refused appends and empty batches', async () => {
      const journal = await openJournal(setup);
      const heard: number[] = [];
      journal.watch('a', (seq) => heard.push(seq));
      await journal.append('b', { generation: 1, expectedSeq: 0 }, numbered(4));
      await journal.append('a', { generation: 1, expectedSeq: 0 }, []);
      await journal.append('a', { generation: 1, expectedSeq: 9 }, numbered(1)).catch(() => {});
      const reached = seqReached(journal, 'a', 1);
      await journal.append('a', { generation: 1, expectedSeq: 0 }, numbered(1));
      await reached;
      expect(heard).toEqual([1]);
    });

    test('ends when asked to, and only for the one who asked', async () => {
      const journal = await openJournal(setup);
      const heard: number[] = [];
      const end = journal.watch('a', (seq) => heard.push(seq));
      end();
      end();
      const reached = seqReached(journal, 'a', 1);
      await journal.append('a', { generation: 1, expectedSeq: 0 }, numbered(1));
      await reached;
      expect(heard).toEqual([]);
    });

    test('is followed by a read that finds the events', async () => {
      const journal = await openJournal(setup);
      const found = new Promise<number>((resolve, reject) => {
        journal.watch('a', (seq) => {
          journal.read('a', 0, 100).then((page) => resolve(page.length - seq), reject);
        });
      });
      await journal.append('a', { generation: 1, expectedSeq: 0 }, numbered(3));
      expect(await found).toBe(0);
    });

    test('follows a stream that was deleted and began anew', async () => {
      const journal = await openJournal(setup);
      await journal.append('a', { generation: 1, expectedSeq: 0 }, numbered(9));
      const reached = new Promise<number>((resolve) => journal.watch('a', resolve));
      await journal.delete('a');
      await journal.append('a', { generation: 1, expectedSeq: 0 }, numbered(1));
      expect(await reached).toBe(1);
    });
  });
}

/** Resolves when a watch tells this head or a later one. */
export function seqReached(journal: Journal, stream: string, seq: number): Promise<void> {
  return new Promise((resolve) => {
    const end = journal.watch(stream, (headSeq) => {
      if (headSeq < seq) return;
      end();
      resolve();
    });
  });
}
