import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoreError } from '@signalbox/core';
import type { Journal } from '@signalbox/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAll, rejectionOf } from '../../../../../tests/contracts/journal/store.ts';
import { openSqliteJournal } from './sqlite-journal.ts';

const SIZE_BYTES_MAX = 512 * 1024;
/** Without a part that is there twice, which would be stored once. */
const BIG = [{ body: `"${randomBytes(SIZE_BYTES_MAX).toString('hex')}"` }];
const MIDDLE = [{ body: `"${'x'.repeat(10_000)}"` }];
const SMALL = [{ body: '1' }];

let folder = '';
let file = '';
let journal: Journal;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-journal-'));
  file = join(folder, 'journal.db');
  journal = await openSqliteJournal({ file, sizeBytesMax: SIZE_BYTES_MAX });
});
afterEach(async () => {
  await journal.close();
  rmSync(folder, { recursive: true });
});

describe('a SQLite journal without room', () => {
  test('refuses what does not fit, keeps what it had and goes on when there is room', async () => {
    await journal.append('other', { generation: 1, expectedSeq: 0 }, SMALL);
    const acknowledged = await fill('filler');
    expect(acknowledged).toBeGreaterThan(10);
    const at = { generation: 1, expectedSeq: acknowledged };
    const refusal = await rejectionOf(journal.append('filler', at, MIDDLE));
    expect(refusal).toMatchObject({
      code: 'journal_write_failed',
      cause: { code: 'SQLITE_FULL' },
    });
    expect(refusal.hint).toContain(file);
    expect(await journal.head('filler')).toEqual({ seq: acknowledged, generation: 1 });
    expect((await journal.read('filler', 0, 1000)).map(({ seq }) => seq)).toHaveLength(
      acknowledged,
    );
    await journal.delete('filler');
    const next = { generation: 1, expectedSeq: 1 };
    expect(await journal.append('other', next, MIDDLE)).toBe(2);
  });

  test('refuses only the append that does not fit, not those committed with it', async () => {
    const first = { generation: 1, expectedSeq: 0 };
    const second = { generation: 1, expectedSeq: 1 };
    const codes = await Promise.all(
      [
        journal.append('a', first, SMALL),
        journal.append('b', first, BIG),
        journal.append('b', second, SMALL),
        journal.append('c', first, SMALL),
        journal.records.create('k', 'v'),
      ].map((write) => write.then(() => 'ok', codeOf)),
    );
    expect(codes).toEqual(['ok', 'journal_write_failed', 'seq_conflict', 'ok', 'ok']);
    expect(await journal.streams()).toEqual(['a', 'c']);
  });

  test('keeps nothing of a long event that does not fit, and stores it whole when there is room', async () => {
    const length = SIZE_BYTES_MAX / 4;
    const [one, other] = [1, 2].map(() => [{ body: randomBytes(length).toString('hex') }]);
    await journal.append('a', { generation: 1, expectedSeq: 0 }, one ?? []);
    const at = { generation: 1, expectedSeq: 0 };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const refusal = await rejectionOf(journal.append('b', at, other ?? []));
      expect(refusal.cause).toMatchObject({ code: 'SQLITE_FULL' });
    }
    await journal.delete('a');
    expect(await journal.append('b', at, other ?? [])).toBe(1);
    expect(await readAll(journal, 'b')).toEqual(other?.map(({ body }) => body));
  });
});

function codeOf(reason: unknown): string {
  return isCoreError(reason) ? reason.code : String(reason);
}

/** Appends until the journal refuses. @returns the last acknowledged number. */
async function fill(stream: string): Promise<number> {
  for (let expectedSeq = 0; ; expectedSeq += 1) {
    const appended = journal.append(stream, { generation: 1, expectedSeq }, MIDDLE);
    const isStored = await appended.then(
      () => true,
      () => false,
    );
    if (!isStored) return expectedSeq;
  }
}
