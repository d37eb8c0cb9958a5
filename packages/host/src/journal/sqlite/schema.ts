import { CoreError } from '@signalbox/core';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Marks a SQLite file as ours, so that another program's database is never written to: "SbJn". */
const APPLICATION_ID = 0x53_62_4a_6e;

/**
 * A row of `commits` holds a whole batch, which is what makes bursts cheap. The plain table grows at
 * its end and only the small index is written here and there; a table clustered by stream wrote
 * three times slower with a thousand streams.
 */
const FORMAT_1 = `
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
`;

/**
 * A long event is a list of pieces (`pieces/piece-list.ts`) in `commits.pieces` and has an empty body. A
 * piece is stored once for each stream, which `piece_digests` finds it by. It has a number because lists
 * of numbers are short: by the digests themselves a list would be as large as a twentieth of its text.
 */
const FORMAT_2 = `
ALTER TABLE commits ADD COLUMN pieces BLOB;
CREATE TABLE pieces (
  key INTEGER PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE piece_digests (
  stream INTEGER NOT NULL,
  digest BLOB NOT NULL,
  piece INTEGER NOT NULL,
  PRIMARY KEY (stream, digest)
) STRICT, WITHOUT ROWID;
`;

/** What makes each format of the one before it, the first one of an empty file. */
const FORMATS = [FORMAT_1, FORMAT_2];

/** The format that this version writes; it rises by one with each change of the tables. */
export const SCHEMA_VERSION = FORMATS.length;

/**
 * Makes the tables in an empty file, brings those of an older version up to date, and refuses a file
 * that is not ours to write.
 *
 * @throws CoreError `journal_unsupported` when the file is another program's or a newer version's.
 * @throws the driver's error, SQLITE_BUSY when another process is making the tables right now.
 */
export function prepareSchema(db: SqliteDatabase, file: string): void {
  if (formatOf(db, file) === SCHEMA_VERSION) return;
  db.pragma('journal_mode = WAL');
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have done it before the lock was ours.
    for (const sql of FORMATS.slice(formatOf(db, file))) db.exec(sql);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    db.exec('COMMIT');
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

/** The format of a file that is ours, 0 of an empty one. @throws CoreError `journal_unsupported` */
function formatOf(db: SqliteDatabase, file: string): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  const application = Number(db.pragma('application_id', { simple: true }));
  if (application === 0 && version === 0) {
    const found = db.prepare('SELECT name FROM sqlite_schema LIMIT 1').get();
    if (found === undefined) return 0;
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
  return version;
}
