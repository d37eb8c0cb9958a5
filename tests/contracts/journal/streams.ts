import { describe, expect, test } from 'vitest';
import { expectCode, numbered, openJournal, readAll } from './store.ts';
import type { JournalSetup } from './store.ts';

const FIRST = { generation: 3, expectedSeq: 0 };

export function describeStreams(setup: JournalSetup): void {
  describe('streams', () => {
    test('are listed in id order, page by page', async () => {
      const journal = await openJournal(setup);
      const ids = ['s3', 's1', 's20', 's2', 'S', 't', '\uffff', '\u{10000}'];
      for (const id of ids) await journal.append(id, FIRST, numbered(1));
      const expected = ['S', 's1', 's2', 's20', 's3', 't', '\uffff', '\u{10000}'];
      expect(await journal.streams()).toEqual(expected);
      expect(await journal.streams({ limit: 2 })).toEqual(['S', 's1']);
      expect(await journal.streams({ after: 's1', limit: 2 })).toEqual(['s2', 's20']);
      expect(await journal.streams({ after: 's19' })).toEqual(expected.slice(2));
      expect(await journal.streams({ after: '\u{10000}' })).toEqual([]);
    });

    test('exist with their first event, not before', async () => {
      const journal = await openJournal(setup);
      await journal.append('empty', FIRST, []);
      await expectCode(
        journal.append('refused', { generation: 1, expectedSeq: 7 }, numbered(1)),
        'seq_conflict',
      );
      await journal.head('asked');
      expect(await journal.streams()).toEqual([]);
    });

    test('can be deleted with events and snapshots, and begin anew', async () => {
      const journal = await openJournal(setup);
      await journal.append('a', FIRST, numbered(5));
      await journal.append('b', FIRST, numbered(2));
      await journal.putSnapshot('a', { seq: 5, format: 'f', state: '{}' });
      await journal.delete('a');
      await journal.delete('a');
      await journal.delete('never there');
      expect(await journal.streams()).toEqual(['b']);
      expect(await journal.head('a')).toEqual({ seq: 0, generation: 0 });
      expect(await journal.read('a', 0, 10)).toEqual([]);
      expect(await journal.snapshot('a')).toBeUndefined();
      const late = journal.append('a', { generation: 3, expectedSeq: 5 }, numbered(1));
      await expectCode(late, 'seq_conflict');
      expect(await journal.append('a', { generation: 1, expectedSeq: 0 }, numbered(2))).toBe(2);
      expect(await readAll(journal, 'a')).toHaveLength(2);
      expect(await readAll(journal, 'b')).toHaveLength(2);
    });

    test('are deleted in turn with the appends around it', async () => {
      const journal = await openJournal(setup);
      const [, , again] = await Promise.all([
        journal.append('a', FIRST, numbered(4)),
        journal.delete('a'),
        journal.append('a', { generation: 1, expectedSeq: 0 }, numbered(1)),
      ]);
      expect(again).toBe(1);
      expect(await journal.head('a')).toEqual({ seq: 1, generation: 1 });
    });
  });

  describe('snapshots', () => {
    test('are kept exactly, the newest of each stream', async () => {
      const journal = await openJournal(setup);
      await journal.append('a', FIRST, numbered(9));
      expect(await journal.snapshot('a')).toBeUndefined();
      const older = { seq: 3, format: 'state/1', state: '{"n":\n 1.0}' };
      const newer = { seq: 7, format: 'state/2', state: '"\u2028 日本"' };
      await journal.putSnapshot('a', older);
      expect(await journal.snapshot('a')).toEqual(older);
      await journal.putSnapshot('a', newer);
      await journal.putSnapshot('a', older);
      expect(await journal.snapshot('a')).toEqual(newer);
      await journal.putSnapshot('a', { ...newer, format: 'state/3' });
      expect(await journal.snapshot('a')).toEqual({ ...newer, format: 'state/3' });
      expect(await journal.snapshot('b')).toBeUndefined();
    });
  });
}
