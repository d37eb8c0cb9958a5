import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isBusy } from './failure.ts';
import { prepareSchema } from './schema.ts';
import { BUSY_TIMEOUT_MS, openDatabase } from './sqlite-database.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

const RETRY_MS = 10;

/**
 * Opens a journal's file and makes what is missing: folders with mode 0700, the file with mode 0600
 * (which SQLite gives its side files too), the tables.
 *
 * @throws CoreError `journal_corrupt` or `journal_unsupported`, or the driver's or the file system's error.
 */
export async function openJournalFile(file: string): Promise<SqliteDatabase> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  createPrivateFile(file);
  const db = openDatabase(file);
  try {
    await prepareWhenFree(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Never opens a file that exists: closing any descriptor of it would drop the locks that a SQLite
 * connection of this process may hold on it.
 */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** SQLite does not wait while another process switches a new file to WAL, so we do. */
async function prepareWhenFree(db: SqliteDatabase, file: string): Promise<void> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      prepareSchema(db, file);
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await setTimeout(RETRY_MS);
    }
  }
}
