import { isCoreError } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { expectCode, numbered, openJournal } from './store.ts';
import type { JournalSetup } from './store.ts';

export function describeClosing(setup: JournalSetup): void {
  describe('close', () => {
    test('finishes the appends under way', async () => {
      const journal = await openJournal(setup);
      const appends = Array.from({ length: 100 }, (_, expectedSeq) =>
        journal.append('a', { generation: 1, expectedSeq }, numbered(1)),
      );
      const closed = journal.close();
      expect((await Promise.all(appends)).at(-1)).toBe(100);
      await closed;
    });

    test('may be called again, and without anything having happened', async () => {
      const journal = await openJournal(setup);
      await Promise.all([journal.close(), journal.close()]);
      await journal.close();
    });

    test('makes every later call fail as closed', async () => {
      const journal = await openJournal(setup);
      const closed = journal.close();
      const snapshot = { seq: 1, format: 'f', state: '' };
      const calls = [
        () => journal.append('a', { generation: 1, expectedSeq: 0 }, numbered(1)),
        () => journal.read('a', 0, 1),
        () => journal.head('a'),
        () => journal.snapshot('a'),
        () => journal.putSnapshot('a', snapshot),
        () => journal.streams(),
        () => journal.delete('a'),
        () => journal.records.create('k', ''),
        () => journal.records.get('k'),
        () => journal.records.put('k', '', 1),
        () => journal.records.delete('k'),
        () => journal.records.list(''),
      ];
      for (const call of calls) await expectCode(call(), 'journal_closed');
      await closed;
      for (const call of calls) await expectCode(call(), 'journal_closed');
      expect(() => journal.watch('a', () => {})).toThrow(
        expect.toSatisfy((error) => isCoreError(error, 'journal_closed')),
      );
    });

    test('ends the watches', async () => {
      const journal = await openJournal(setup);
      const heard: number[] = [];
      const end = journal.watch('a', (seq) => heard.push(seq));
      await journal.close();
      end();
      expect(heard).toEqual([]);
    });
  });
}
