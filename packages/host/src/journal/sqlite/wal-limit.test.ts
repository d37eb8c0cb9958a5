import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './sqlite-database.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { createWalLimiter } from './wal-limit.ts';

const LIMIT = 64 * 1024;

let folder = '';
let file = '';
let writer: SqliteDatabase;
let reader: SqliteDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-journal-'));
  file = join(folder, 'journal.db');
  writeFileSync(file, '');
  writer = openDatabase(file);
  writer.pragma('journal_mode = WAL');
  writer.exec('CREATE TABLE t (text)');
  reader = openDatabase(file);
});
afterEach(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

function write(bytes: number): void {
  writer.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(bytes));
}

function walBytes(): number {
  return statSync(`${file}-wal`).size;
}

test('empties the write-ahead file when it is too large, not before', () => {
  const limitWal = createWalLimiter(writer, file, LIMIT);
  write(LIMIT / 4);
  limitWal();
  expect(walBytes()).toBeGreaterThan(LIMIT / 4);
  write(LIMIT);
  limitWal();
  expect(walBytes()).toBe(0);
});

test('leaves the file to a reader that needs it, and tries again only after more growth', () => {
  const limitWal = createWalLimiter(writer, file, LIMIT);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM t').get();
  write(LIMIT);
  limitWal();
  expect(walBytes()).toBeGreaterThan(LIMIT);
  reader.exec('COMMIT');
  write(10);
  limitWal();
  expect(walBytes()).toBeGreaterThan(LIMIT);
  write(LIMIT);
  write(LIMIT);
  limitWal();
  expect(walBytes()).toBe(0);
});
