import { describe, expect, test } from 'vitest';
import { expectCode, numbered, openJournal, readAll, toEntries } from './store.ts';
import type { JournalSetup } from './store.ts';

const FIRST = { generation: 1, expectedSeq: 0 };

export function describeAppends(setup: JournalSetup): void {
  describe('append', () => {
    test('numbers the events of each stream from 1 without gaps', async () => {
      const journal = await openJournal(setup);
      expect(await journal.append('a', FIRST, toEntries('1', '2'))).toBe(2);
      expect(await journal.append('b', FIRST, toEntries('x'))).toBe(1);
      expect(await journal.append('a', { generation: 1, expectedSeq: 2 }, toEntries('3'))).toBe(3);
      expect(await readAll(journal, 'a')).toEqual(['1', '2', '3']);
      expect(await readAll(journal, 'b')).toEqual(['x']);
    });

    test('refuses any other expected head and stores nothing of that batch', async () => {
      const journal = await openJournal(setup);
      await expectCode(
        journal.append('a', { generation: 1, expectedSeq: 1 }, numbered(2)),
        'seq_conflict',
      );
      await journal.append('a', FIRST, numbered(2));
      for (const expectedSeq of [0, 1, 3]) {
        const refused = journal.append('a', { generation: 1, expectedSeq }, numbered(2));
        await expectCode(refused, 'seq_conflict');
      }
      expect(await journal.head('a')).toEqual({ seq: 2, generation: 1 });
      expect(await readAll(journal, 'a')).toHaveLength(2);
    });

    test('refuses an older generation, and takes a newer one as the stream’s', async () => {
      const journal = await openJournal(setup);
      await journal.append('a', { generation: 2, expectedSeq: 0 }, toEntries('old owner'));
      await journal.append('a', { generation: 5, expectedSeq: 1 }, toEntries('new owner'));
      for (const generation of [0, 2, 4]) {
        const refused = journal.append('a', { generation, expectedSeq: 2 }, toEntries('late'));
        await expectCode(refused, 'stale_generation');
      }
      expect(await journal.head('a')).toEqual({ seq: 2, generation: 5 });
      expect(await journal.append('a', { generation: 5, expectedSeq: 2 }, numbered(1))).toBe(3);
    });

    test('tells a stale owner so, even when its head is outdated too', async () => {
      const journal = await openJournal(setup);
      await journal.append('a', { generation: 2, expectedSeq: 0 }, numbered(1));
      await expectCode(journal.append('a', FIRST, numbered(1)), 'stale_generation');
    });

    test('checks the position of an empty batch and stores nothing', async () => {
      const journal = await openJournal(setup);
      expect(await journal.append('a', { generation: 9, expectedSeq: 0 }, [])).toBe(0);
      expect(await journal.head('a')).toEqual({ seq: 0, generation: 0 });
      await journal.append('a', { generation: 2, expectedSeq: 0 }, numbered(3));
      expect(await journal.append('a', { generation: 2, expectedSeq: 3 }, [])).toBe(3);
      await expectCode(journal.append('a', { generation: 2, expectedSeq: 2 }, []), 'seq_conflict');
      const stale = journal.append('a', { generation: 1, expectedSeq: 3 }, []);
      await expectCode(stale, 'stale_generation');
      expect(await journal.head('a')).toEqual({ seq: 3, generation: 2 });
    });

    test('refuses a text it could not keep exactly, with the whole batch', async () => {
      const journal = await openJournal(setup);
      for (const body of ['{\n}', '"\ud800"', '"\udc00\ud800"']) {
        await expect(journal.append('a', FIRST, toEntries('1', body))).rejects.toThrow(TypeError);
      }
      await expect(journal.append('\ud800', FIRST, numbered(1))).rejects.toThrow(TypeError);
      expect(await journal.head('a')).toEqual({ seq: 0, generation: 0 });
    });
  });

  describeConcurrentAppends(setup);
}

function describeConcurrentAppends(setup: JournalSetup): void {
  describe('appends issued without waiting', () => {
    test('take effect and resolve in the order of the calls', async () => {
      const journal = await openJournal(setup);
      const resolved: number[] = [];
      const calls = Array.from({ length: 300 }, async (_, index) => {
        const at = { generation: 1, expectedSeq: index };
        resolved.push(await journal.append('a', at, numbered(1, index)));
      });
      await Promise.all(calls);
      expect(resolved).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
      expect(await readAll(journal, 'a')).toEqual(numbered(300, 0).map(({ body }) => body));
    });

    test('fail by their own expectation when one before them is refused', async () => {
      const journal = await openJournal(setup);
      const results = await Promise.allSettled([
        journal.append('a', FIRST, numbered(1)),
        journal.append('a', { generation: 0, expectedSeq: 1 }, numbered(1)),
        journal.append('a', { generation: 1, expectedSeq: 2 }, numbered(1)),
        journal.append('b', FIRST, numbered(1)),
        journal.append('a', { generation: 1, expectedSeq: 1 }, numbered(2)),
      ]);
      expect(results.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'fulfilled',
        'fulfilled',
      ]);
      expect(await journal.head('a')).toEqual({ seq: 3, generation: 1 });
    });

    test('let exactly one of many rivals for a place through', async () => {
      const journal = await openJournal(setup);
      const rivals = Array.from({ length: 50 }, (_, index) =>
        journal.append('a', FIRST, toEntries(String(index))),
      );
      const results = await Promise.allSettled(rivals);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await readAll(journal, 'a')).toEqual(['0']);
    });

    test('to many streams do not disturb each other', async () => {
      const journal = await openJournal(setup);
      const streams = Array.from({ length: 40 }, (_, index) => `stream-${index}`);
      await Promise.all(
        streams.flatMap((stream) =>
          [0, 3, 6].map((expectedSeq) =>
            journal.append(stream, { generation: 1, expectedSeq }, numbered(3, expectedSeq)),
          ),
        ),
      );
      const expected = numbered(9, 0).map(({ body }) => body);
      for (const stream of streams) expect(await readAll(journal, stream)).toEqual(expected);
    });
  });
}
