import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rejectionOf } from '../../../../../tests/contracts/journal/store.ts';
import { openDatabase } from './sqlite-database.ts';
import { openSqliteJournal } from './sqlite-journal.ts';

const FIRST = { generation: 1, expectedSeq: 0 };
let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-journal-'));
  file = join(folder, 'journal.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Changes the file behind the journal's back. */
function alter(sql: string): void {
  const db = openDatabase(file);
  db.exec(sql);
  db.close();
}

async function createJournal(): Promise<void> {
  const journal = await openSqliteJournal({ file });
  for (let expectedSeq = 0; expectedSeq < 9; expectedSeq += 3) {
    const entries = ['1', '2', '3'].map((body) => ({ body }));
    await journal.append('a', { generation: 1, expectedSeq }, entries);
  }
  await journal.close();
}

test('others get their turn between the pages of a long log', async () => {
  await createJournal();
  const journal = await openSqliteJournal({ file });
  const seen: string[] = [];
  setImmediate(() => seen.push('somebody else'));
  for (let seq = 0; seq < 9; seq += 3) {
    await journal.read('a', seq, 3);
    seen.push('page');
  }
  expect(seen.slice(0, 2)).toContain('somebody else');
  await journal.close();
});

describe('the file of a SQLite journal', () => {
  test('is made with its folders for this user alone', async () => {
    const nested = join(folder, 'new', 'nested');
    file = join(nested, 'journal.db');
    const journal = await openSqliteJournal({ file });
    await journal.append('a', FIRST, [{ body: '1' }]);
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect([join(folder, 'new'), nested].map(modeOf)).toEqual([0o700, 0o700]);
    const files = [file, `${file}-wal`, `${file}-shm`];
    expect(files.map(modeOf)).toEqual([0o600, 0o600, 0o600]);
    await journal.close();
  });

  test('can be opened by many at once while it is being made', async () => {
    const opened = await Promise.all(
      Array.from({ length: 8 }, () => openSqliteJournal({ file, durability: 'process' })),
    );
    for (const [expectedSeq, journal] of opened.entries()) {
      await journal.append('a', { generation: 1, expectedSeq }, [{ body: '1' }]);
    }
    expect(await opened[0]?.head('a')).toEqual({ seq: 8, generation: 1 });
    await Promise.all(opened.map((journal) => journal.close()));
  });

  test('is one file again after close', async () => {
    await createJournal();
    expect(() => statSync(`${file}-wal`)).toThrow('ENOENT');
  });

  test('of a newer version is refused and left as it is', async () => {
    await createJournal();
    alter('PRAGMA user_version = 99');
    const before = readFileSync(file);
    const refusal = await rejectionOf(openSqliteJournal({ file }));
    expect(refusal.code).toBe('journal_unsupported');
    expect(refusal.message).toContain(
      `${file} was written by a newer version (format 99, this program knows up to 2)`,
    );
    expect(refusal.hint).toContain('Update Signalbox');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('of another program is refused and left as it is', async () => {
    writeFileSync(file, '');
    alter('CREATE TABLE cookies (a)');
    const before = readFileSync(file);
    const refusal = await rejectionOf(openSqliteJournal({ file }));
    expect(refusal.code).toBe('journal_unsupported');
    expect(refusal.message).toContain(`${file} is a database of another program`);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('that is no database is refused with its name and a hint', async () => {
    writeFileSync(file, 'This is a letter, not a database. '.repeat(200));
    const refusal = await rejectionOf(openSqliteJournal({ file }));
    expect(refusal).toMatchObject({ code: 'journal_corrupt', cause: { code: 'SQLITE_NOTADB' } });
    expect(refusal.message).toContain(file);
    expect(refusal.hint).toContain('integrity_check');
  });

  test('in an impossible place is refused with its name', async () => {
    writeFileSync(join(folder, 'plain'), '');
    file = join(folder, 'plain', 'journal.db');
    const refusal = await rejectionOf(openSqliteJournal({ file }));
    expect(refusal.code).toBe('journal_write_failed');
    expect(refusal.message).toContain(file);
    expect(refusal.hint).toContain('folder');
  });
});

describe('a page read from a SQLite journal', () => {
  test('is bounded by its size as well as by the limit', async () => {
    const journal = await openSqliteJournal({ file });
    const entries = Array.from({ length: 5 }, () => ({ body: 'x'.repeat(3 * 1024 * 1024) }));
    await journal.append('a', FIRST, entries);
    const pages = [];
    for (const afterSeq of [0, 2, 4]) pages.push(await journal.read('a', afterSeq, 100));
    expect(pages.map((page) => page.map(({ seq }) => seq))).toEqual([[1, 2], [3, 4], [5]]);
    await journal.close();
  });
});

describe('a damaged SQLite journal', () => {
  test.each([
    ['a commit is missing', 'DELETE FROM commits WHERE last_seq = 6', 0],
    ['the commit after the cursor is missing', 'DELETE FROM commits WHERE last_seq = 6', 3],
    ['a batch lost an event', "UPDATE commits SET body = '1' WHERE last_seq = 6", 0],
  ])('says so when %s', async (_, sql, afterSeq) => {
    await createJournal();
    alter(sql);
    const journal = await openSqliteJournal({ file });
    await expect(journal.read('a', afterSeq, 100)).rejects.toMatchObject({
      code: 'journal_corrupt',
    });
    await journal.close();
  });

  test('says so when its pages are overwritten', async () => {
    await createJournal();
    const bytes = readFileSync(file);
    // All but the first page, which holds the header and the schema.
    writeFileSync(file, bytes.fill(0xab, 4096));
    const journal = await openSqliteJournal({ file });
    const at = { generation: 1, expectedSeq: 9 };
    for (const call of [
      () => journal.read('a', 0, 100),
      () => journal.append('a', at, [{ body: '1' }]),
    ]) {
      const refusal = await rejectionOf(call());
      expect(refusal.code).toBe('journal_corrupt');
      expect(refusal.message).toContain(file);
    }
    await journal.close();
  });
});
