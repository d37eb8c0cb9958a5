import { statSync } from 'node:fs';
import { BUSY_TIMEOUT_MS } from './sqlite-database.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** The size from which the write-ahead file is emptied by force. */
const WAL_BYTES_MAX = 32 * 1024 * 1024;

/**
 * How long one attempt to empty it may wait for readers of an old state, in ms, and how often it is
 * made; writes wait meanwhile. Several short waits end sooner than a long one: SQLite looks once for
 * who is behind, and then waits for that reader's slot even when the reader has caught up.
 */
const WAIT_MS = 20;
const ATTEMPTS_MAX = 5;

/**
 * Returns a function that keeps the write-ahead file small; call it after each commit.
 *
 * SQLite's own checkpoints normally suffice, and keep it at about 4 MiB. But they begin it anew only
 * in a moment without readers, and readers that overlap without a pause leave no such moment. Then
 * this one waits for the readers that are behind, while new ones already read past the file.
 */
export function createWalLimiter(
  db: SqliteDatabase,
  file: string,
  walBytesMax = WAL_BYTES_MAX,
): () => void {
  let limit = walBytesMax;
  return () => {
    const size = walBytes(file);
    if (size < limit) return;
    // After a failure, for example a reader that stays, the file may grow before the next attempt:
    // otherwise every commit would wait.
    limit = emptyWal(db) ? walBytesMax : size + walBytesMax;
  };
}

function walBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whether all was moved into the main file. An error loses nothing: the next attempt goes on. */
function emptyWal(db: SqliteDatabase): boolean {
  db.pragma(`busy_timeout = ${WAIT_MS}`);
  try {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      // The first column says whether it had to give up.
      if (db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0) return true;
    }
    return false;
  } catch {
    return false;
  } finally {
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}
