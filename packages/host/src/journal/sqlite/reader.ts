import { CoreError } from '@signalbox/core';
import type { Head, ListOptions, Snapshot, StoredEntry, StoredRecord } from '@signalbox/core';
import { fromCommitRow } from './commit-rows.ts';
import { createPieceReader } from './pieces/piece-reader.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/**
 * A page ends with the row that reaches this length in UTF-16 units, whatever the limit: a page of
 * large events must not load hundreds of MiB.
 */
const PAGE_LENGTH_MAX = 4 * 1024 * 1024;

/** The journal's questions to its file. Every method is synchronous and throws the driver's error. */
export interface JournalReader {
  /** At most `limit` entries after `afterSeq`, at least one if there is one. */
  read(stream: string, afterSeq: number, limit: number): StoredEntry[];
  head(stream: string): Head;
  snapshot(stream: string): Snapshot | undefined;
  streams(after: string | undefined, limit: number | undefined): string[];
  record(key: string): StoredRecord | undefined;
  records(prefix: string, options: ListOptions): StoredRecord[];
  /** A number that changes when another connection has committed something. */
  dataVersion(): number;
  close(): void;
}

interface Row {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly body: string;
  /** The list of the pieces that are the row's one event; `body` is empty then. */
  readonly pieces: Uint8Array | null;
}

/** Prepares the statements on a connection, which the reader owns from then on. */
export function createReader(db: SqliteDatabase): JournalReader {
  const rows = db.prepare(
    `SELECT first_seq, last_seq, body, pieces FROM commits
     WHERE stream = (SELECT key FROM streams WHERE id = ?) AND last_seq > ? ORDER BY last_seq`,
  );
  const joinPieces = createPieceReader(db);
  const head = db.prepare('SELECT head_seq AS seq, generation FROM streams WHERE id = ?');
  const snapshot = db.prepare('SELECT seq, format, state FROM snapshots WHERE stream = ?');
  const streams = db.prepare(
    'SELECT id FROM streams WHERE id >= ? AND id IS NOT ? ORDER BY id LIMIT ?',
  );
  const record = db.prepare('SELECT key, value, revision FROM records WHERE key = ?');
  const records = db.prepare(
    `SELECT key, value, revision FROM records
     WHERE key >= max(?, ?) AND key IS NOT ? ORDER BY key LIMIT ?`,
  );
  // Behind every key with the prefix, since no byte of a text in UTF-8 is as large.
  const lastRecords = db.prepare(
    `SELECT key, value, revision FROM records
     WHERE key >= ? AND key < min(coalesce(?, ? || x'ff'), ? || x'ff') ORDER BY key DESC LIMIT ?`,
  );
  const version = db.prepare('PRAGMA data_version');

  return {
    read(stream, afterSeq, limit) {
      const found = rows.iterate(stream, afterSeq) as Iterable<Row>;
      // While rows are being read, all questions see the file as it was at the first of them.
      const toText = ({ body, pieces, last_seq: seq }: Row) =>
        pieces === null ? body : joinPieces(pieces, { stream, seq });
      return collectPage(found, toText, { stream, afterSeq, limit });
    },
    head: (stream) => (head.get(stream) as Head | undefined) ?? { seq: 0, generation: 0 },
    snapshot: (stream) => snapshot.get(stream) as Snapshot | undefined,
    streams: (after, limit) =>
      (streams.all(after ?? '', after ?? null, limit ?? -1) as { id: string }[]).map(
        ({ id }) => id,
      ),
    record: (key) => record.get(key) as StoredRecord | undefined,
    records(prefix, { after, limit, reverse }) {
      if (reverse === true) {
        const bounds = [prefix, after ?? null, prefix, prefix, limit ?? -1];
        return lastRecords.all(...bounds) as StoredRecord[];
      }
      const found: StoredRecord[] = [];
      const iterator = records.iterate(prefix, after ?? prefix, after ?? null, limit ?? -1);
      for (const one of iterator as Iterable<StoredRecord>) {
        // Keys with one prefix stand together, so the first other key ends the list.
        if (!one.key.startsWith(prefix)) break;
        found.push(one);
      }
      return found;
    },
    dataVersion: () => (version.get() as { data_version: number }).data_version,
    close: () => void db.close(),
  };
}

function collectPage(
  rows: Iterable<Row>,
  toText: (row: Row) => string,
  { stream, afterSeq, limit }: { stream: string; afterSeq: number; limit: number },
): StoredEntry[] {
  const page: StoredEntry[] = [];
  let length = 0;
  let nextSeq = Math.max(0, afterSeq) + 1;
  for (const row of rows) {
    const { first_seq: firstSeq, last_seq: lastSeq } = row;
    const body = toText(row);
    const entryCount = lastSeq - firstSeq + 1;
    const bodies = fromCommitRow({ entryCount, body });
    const isWhole = bodies.length === entryCount;
    // Only the first row may begin before the place where the reader stands.
    if (!isWhole || (page.length === 0 ? firstSeq > nextSeq : firstSeq !== nextSeq)) {
      throw new CoreError('journal_corrupt', `events of "${stream}" at ${nextSeq} are missing`);
    }
    for (const one of bodies.slice(nextSeq - firstSeq)) {
      page.push({ seq: nextSeq, body: one });
      nextSeq += 1;
      if (page.length >= limit) return page;
    }
    length += body.length;
    if (length >= PAGE_LENGTH_MAX) return page;
  }
  return page;
}
