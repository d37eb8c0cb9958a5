import { JOURNAL_ENTRY_BYTES_MAX } from '@signalbox/core';
import type { JournalEntry } from '@signalbox/core';
import type { CommitRow } from './operations.ts';

/**
 * The length, in UTF-16 units, from which a batch is spread over several rows. It bounds what a
 * reader must load to get at one event; only a single larger event makes a larger row.
 */
const ROW_LENGTH_MAX = 256 * 1024;

/**
 * Packs a batch into rows.
 *
 * @throws TypeError or RangeError for a text that could not be kept exactly, which is our own bug.
 */
export function toCommitRows(entries: readonly JournalEntry[]): CommitRow[] {
  const rows: CommitRow[] = [];
  let bodies: string[] = [];
  let length = 0;
  for (const { body } of entries) {
    assertBody(body);
    if (bodies.length > 0 && length + body.length > ROW_LENGTH_MAX) {
      rows.push(toRow(bodies));
      bodies = [];
      length = 0;
    }
    bodies.push(body);
    length += body.length;
  }
  if (bodies.length > 0) rows.push(toRow(bodies));
  return rows;
}

/** Takes a row's events apart again. */
export function fromCommitRow(row: CommitRow): string[] {
  return row.entryCount === 1 ? [row.body] : row.body.split('\n');
}

/** Guards texts that SQLite would not give back as they were. @throws TypeError */
export function assertWellFormed(what: string, text: string): void {
  if (!text.isWellFormed()) throw new TypeError(`${what} holds half a surrogate pair`);
}

function toRow(bodies: readonly string[]): CommitRow {
  return { entryCount: bodies.length, body: bodies.join('\n') };
}

function assertBody(body: string): void {
  if (body.includes('\n')) throw new TypeError('an event body holds a line feed');
  assertWellFormed('an event body', body);
  // A UTF-16 unit takes at most three bytes, so only giants are counted.
  const isLarge = body.length * 3 > JOURNAL_ENTRY_BYTES_MAX;
  if (isLarge && Buffer.byteLength(body) > JOURNAL_ENTRY_BYTES_MAX) {
    throw new RangeError(`an event body is larger than ${JOURNAL_ENTRY_BYTES_MAX} bytes`);
  }
}
