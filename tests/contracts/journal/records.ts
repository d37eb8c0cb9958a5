import { describe, expect, test } from 'vitest';
import { expectCode, openJournal } from './store.ts';
import type { JournalSetup } from './store.ts';

export function describeRecords(setup: JournalSetup): void {
  describe('records', () => {
    test('are created once, replaced by revision and deleted', async () => {
      const { records } = await openJournal(setup);
      expect(await records.get('k')).toBeUndefined();
      const created = await records.create('k', ' {"v": 1}\n\u2028');
      expect(created).toMatchObject({ key: 'k', value: ' {"v": 1}\n\u2028' });
      expect(created.revision).toBeGreaterThan(0);
      expect(await records.get('k')).toEqual(created);
      const replaced = await records.put('k', '2', created.revision);
      expect(replaced.revision).not.toBe(created.revision);
      expect(await records.get('k')).toEqual(replaced);
      await records.delete('k');
      expect(await records.get('k')).toBeUndefined();
      await records.delete('k');
    });

    test('refuse what does not match, and stay as they were', async () => {
      const { records } = await openJournal(setup);
      const { revision } = await records.create('k', '1');
      const current = await records.put('k', '2', revision);
      await expectCode(records.create('k', '3'), 'record_conflict');
      await expectCode(records.put('k', '3', revision), 'record_conflict');
      await expectCode(records.put('absent', '3', revision), 'record_conflict');
      await expectCode(records.delete('k', revision), 'record_conflict');
      expect(await records.get('k')).toEqual(current);
      await records.delete('absent', revision);
      await records.delete('k', current.revision);
      expect(await records.get('k')).toBeUndefined();
    });

    test('never get an earlier revision back', async () => {
      const { records } = await openJournal(setup);
      const first = await records.create('k', 'lease');
      await records.delete('k');
      await records.create('other', '');
      const second = await records.create('k', 'lease');
      expect(second.revision).not.toBe(first.revision);
      await expectCode(records.put('k', 'taken', first.revision), 'record_conflict');
    });

    test('are won by exactly one of many who create or replace at once', async () => {
      const { records } = await openJournal(setup);
      const creators = Array.from({ length: 50 }, (_, n) => records.create('k', `creator ${n}`));
      const created = (await Promise.allSettled(creators)).filter(isFulfilled);
      expect(created).toHaveLength(1);
      const { revision } = created[0]!.value;
      const writers = Array.from({ length: 50 }, (_, n) => records.put('k', `put ${n}`, revision));
      const replaced = (await Promise.allSettled(writers)).filter(isFulfilled);
      expect(replaced).toHaveLength(1);
      expect(await records.get('k')).toEqual(replaced[0]!.value);
    });

    test('refuse a text they could not keep exactly', async () => {
      const { records } = await openJournal(setup);
      await expect(records.create('\ud800', '')).rejects.toThrow(TypeError);
      await expect(records.create('k', '\ud800')).rejects.toThrow(TypeError);
      expect(await records.list('')).toEqual([]);
    });
  });

  describeRecordLists(setup);
}

function describeRecordLists(setup: JournalSetup): void {
  describe('a list of records', () => {
    const keys = ['a', 'a/', 'a/%', 'a/1', 'a/10', 'a/2', 'a/_', 'a0', 'A/1', 'b', 'a/é', 'a/👩'];
    const expected = ['a/', 'a/%', 'a/1', 'a/10', 'a/2', 'a/_', 'a/é', 'a/👩'];

    test('holds the keys with a prefix in key order, page by page', async () => {
      const { records } = await openJournal(setup);
      for (const key of keys) await records.create(key, `value of ${key}`);
      const listed = await records.list('a/');
      expect(listed.map(({ key }) => key)).toEqual(expected);
      expect(listed.map(({ value }) => value)).toEqual(expected.map((key) => `value of ${key}`));
      const paged: string[] = [];
      for (let after: string | undefined; ; after = paged.at(-1)) {
        const page = await records.list('a/', { limit: 3, ...(after !== undefined && { after }) });
        if (page.length === 0) break;
        paged.push(...page.map(({ key }) => key));
      }
      expect(paged).toEqual(expected);
      expect(await records.list('a/', { after: 'a' })).toEqual(listed);
      expect(await records.list('a/', { after: 'b' })).toEqual([]);
      expect(await records.list('nothing')).toEqual([]);
      expect(await records.list('')).toHaveLength(keys.length);
    });

    test('begins with the last key where that is wanted', async () => {
      const { records } = await openJournal(setup);
      for (const key of [...keys, 'a/\u{10ffff}']) await records.create(key, `value of ${key}`);
      const backwards = ['a/\u{10ffff}', ...expected.toReversed()];
      const listed = await records.list('a/', { reverse: true });
      expect(listed.map(({ key }) => key)).toEqual(backwards);
      expect(listed.at(-1)).toEqual(await records.get('a/'));
      const paged: string[] = [];
      for (let after: string | undefined; ; after = paged.at(-1)) {
        const bounds = { limit: 2, reverse: true, ...(after !== undefined && { after }) };
        const page = await records.list('a/', bounds);
        if (page.length === 0) break;
        paged.push(...page.map(({ key }) => key));
      }
      expect(paged).toEqual(backwards);
      expect(await records.list('a/', { after: 'b', reverse: true })).toEqual(listed);
      expect(await records.list('a/', { after: 'a', reverse: true })).toEqual([]);
      expect(await records.list('nothing', { reverse: true })).toEqual([]);
      expect(await records.list('', { reverse: true })).toHaveLength(keys.length + 1);
    });

    test('is in the order of code points', async () => {
      const { records } = await openJournal(setup);
      for (const key of ['\u{10000}', '\uffff', '\ue000', 'z', 'Z', '']) {
        await records.create(key, '');
      }
      const listed = await records.list('');
      expect(listed.map(({ key }) => key)).toEqual(['', 'Z', 'z', '\ue000', '\uffff', '\u{10000}']);
    });
  });
}

function isFulfilled<T>(result: PromiseSettledResult<T>): result is PromiseFulfilledResult<T> {
  return result.status === 'fulfilled';
}
