import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAll, rejectionOf, toEntries } from '../../../../../tests/contracts/journal/store.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { openDatabase } from './sqlite-database.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { openSqliteJournal } from './sqlite-journal.ts';

const FORMAT_1 = readFileSync(
  new URL('../../../../../tests/fixtures/journal-format-1.sql', import.meta.url),
  'utf8',
);
const OLD = ['{"first":1}', '{"second":2}', `"${'x'.repeat(40_000)}"`];

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-journal-'));
  file = join(folder, 'journal.db');
  writeFileSync(file, '');
  withFile((db) => db.exec(FORMAT_1));
});
afterEach(() => rmSync(folder, { recursive: true }));

function withFile<T>(work: (db: SqliteDatabase) => T): T {
  const db = openDatabase(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const formatOfFile = () => withFile((db) => db.pragma('user_version', { simple: true }));

/** Tables and columns, whatever made them. */
const tablesOf = () =>
  withFile((db) =>
    db
      .prepare(
        `SELECT t.name AS name, c.name AS column, c.type AS type FROM sqlite_schema AS t
         JOIN pragma_table_info(t.name) AS c ORDER BY t.name, c.cid`,
      )
      .all(),
  );

describe('a SQLite journal of an older version', () => {
  test('has everything it had when it is opened, and goes on in the new format', async () => {
    const journal = await openSqliteJournal({ file });
    expect(await readAll(journal, 'old')).toEqual(OLD);
    expect(await journal.head('old')).toEqual({ seq: 3, generation: 5 });
    expect(await journal.snapshot('old')).toEqual({ seq: 2, format: 'f', state: 'state' });
    expect(await journal.records.get('k')).toEqual({ key: 'k', value: 'v', revision: 7 });
    const long = `"${'y'.repeat(100_000)}"`;
    const at = { generation: 5, expectedSeq: 3 };
    await journal.append('old', at, toEntries('4', long));
    expect(await readAll(journal, 'old')).toEqual([...OLD, '4', long]);
    await journal.delete('old');
    expect(await journal.streams()).toEqual([]);
    await journal.close();
    expect(formatOfFile()).toBe(SCHEMA_VERSION);
  });

  test('has the same tables as a new one when it was opened', async () => {
    await (await openSqliteJournal({ file })).close();
    const upgraded = tablesOf();
    file = join(folder, 'new.db');
    await (await openSqliteJournal({ file })).close();
    expect(upgraded).toEqual(tablesOf());
  });

  test('is left as it is when it cannot be brought up to date', async () => {
    withFile((db) => db.exec('CREATE TABLE piece_digests (of_another_kind INTEGER)'));
    const before = tablesOf();
    const refusal = await rejectionOf(openSqliteJournal({ file }));
    expect(refusal.code).toBe('journal_write_failed');
    expect(refusal.message).toContain(file);
    expect(tablesOf()).toEqual(before);
    expect(formatOfFile()).toBe(1);
  });
});
