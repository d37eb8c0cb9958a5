import { CoreError } from '@signalbox/core';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Rises by one with each change of the tables. */
export const SCHEMA_VERSION = 1;

/** Marks a SQLite file as ours, so that another program's database is never written to: "SbJn". */
const APPLICATION_ID = 0x53_62_4a_6e;

/**
 * A row of `commits` holds a whole batch, which is what makes bursts cheap. The plain table grows at
 * its end and only the small index is written here and there; a table clustered by stream wrote
 * three times slower with a thousand streams.
 */
const SCHEMA = `
CREATE TABLE streams (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  head_seq INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  epoch INTEGER NOT NULL
) STRICT;
CREATE TABLE commits (
  stream INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX commits_by_stream ON commits (stream, last_seq);
CREATE TABLE snapshots (
  stream TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  format TEXT NOT NULL,
  state TEXT NOT NULL
) STRICT;
CREATE TABLE records (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
CREATE TABLE last_revision (value INTEGER NOT NULL) STRICT;
INSERT INTO last_revision VALUES (0);
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Makes the tables in an empty file, and refuses a file that is not ours to write.
 *
 * @throws CoreError `journal_unsupported` when the file is another program's or a newer version's.
 * @throws the driver's error, SQLITE_BUSY when another process is making the tables right now.
 */
export function prepareSchema(db: SqliteDatabase, file: string): void {
  if (isPrepared(db, file)) return;
  db.pragma('journal_mode = WAL');
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have made them before the lock was ours.
    if (!isPrepared(db, file)) db.exec(SCHEMA);
    db.exec('COMMIT');
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

function isPrepared(db: SqliteDatabase, file: string): boolean {
  const version = Number(db.pragma('user_version', { simple: true }));
  const application = Number(db.pragma('application_id', { simple: true }));
  if (application === 0 && version === 0) {
    const found = db.prepare('SELECT name FROM sqlite_schema LIMIT 1').get();
    if (found === undefined) return false;
  }
  if (application !== APPLICATION_ID) {
    throw new CoreError('journal_unsupported', `${file} is a database of another program`, {
      hint: 'Choose another file for the journal.',
    });
  }
  if (version > SCHEMA_VERSION) {
    const versions = `format ${version}, this program knows up to ${SCHEMA_VERSION}`;
    throw new CoreError(
      'journal_unsupported',
      `${file} was written by a newer version (${versions})`,
      {
        hint: 'Update Signalbox, or choose another file for the journal. The file was left as it is.',
      },
    );
  }
  return true;
}
