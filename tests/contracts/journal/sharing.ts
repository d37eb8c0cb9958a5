import { describe, expect, test } from 'vitest';
import { expectCode, numbered, openStore, readAll } from './store.ts';
import type { JournalSetup } from './store.ts';
import { seqReached } from './watches.ts';

/** Cases for stores on which several journals may be open, at once or one after the other. */
export function describeSharing(setup: JournalSetup): void {
  describe('a second journal on the same store', () => {
    test('finds everything after the first was closed', async () => {
      const store = await openStore(setup);
      const first = await store.open();
      await first.append('a', { generation: 4, expectedSeq: 0 }, numbered(3));
      await first.putSnapshot('a', { seq: 3, format: 'f', state: '1' });
      const record = await first.records.create('k', 'v');
      await first.close();
      const second = await store.open();
      expect(await second.head('a')).toEqual({ seq: 3, generation: 4 });
      expect(await readAll(second, 'a')).toEqual(numbered(3).map(({ body }) => body));
      expect(await second.snapshot('a')).toEqual({ seq: 3, format: 'f', state: '1' });
      expect(await second.records.get('k')).toEqual(record);
      expect(await second.streams()).toEqual(['a']);
    });

    test('sees an acknowledged append at once, and fences the first owner off', async () => {
      const store = await openStore(setup);
      const [first, second] = [await store.open(), await store.open()];
      await first.append('a', { generation: 1, expectedSeq: 0 }, numbered(2));
      const head = await second.head('a');
      expect(head).toEqual({ seq: 2, generation: 1 });
      const taken = { generation: head.generation + 1, expectedSeq: head.seq };
      await second.append('a', taken, numbered(1));
      const late = first.append('a', { generation: 1, expectedSeq: 3 }, numbered(1));
      await expectCode(late, 'stale_generation');
    });

    test('wakes the watchers of the first', async () => {
      const store = await openStore(setup);
      const [first, second] = [await store.open(), await store.open()];
      const reached = seqReached(first, 'a', 2);
      await second.append('a', { generation: 1, expectedSeq: 0 }, numbered(2));
      await reached;
      const again = seqReached(first, 'a', 3);
      await second.append('a', { generation: 1, expectedSeq: 2 }, numbered(1));
      await again;
    });

    test('competes for places and records, with one winner each', async () => {
      const store = await openStore(setup);
      const journals = [await store.open(), await store.open(), await store.open()];
      for (let expectedSeq = 0; expectedSeq < 20; expectedSeq += 1) {
        const key = `key ${expectedSeq}`;
        const created = await Promise.allSettled(journals.map((j) => j.records.create(key, '')));
        expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        const at = { generation: 1, expectedSeq };
        const appends = journals.map((journal) => journal.append('a', at, numbered(1)));
        const appended = await Promise.allSettled(appends);
        expect(appended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
      expect(await readAll(journals[0]!, 'a')).toHaveLength(20);
    });
  });
}
