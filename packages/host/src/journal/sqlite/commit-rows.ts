import { JOURNAL_ENTRY_BYTES_MAX } from '@signalbox/core';
import type { JournalEntry } from '@signalbox/core';
import type { CommitRow } from './operations.ts';

/**
 * The length, in UTF-16 units, from which a batch is spread over several rows. It bounds what a
 * reader must load to get at one event; only a single larger event makes a larger row.
 */
const ROW_LENGTH_MAX = 256 * 1024;

/**
 * The length of an event, in UTF-16 units, from which it is stored in pieces, in a row of its own. Events
 * that long are mostly what a tool has put out so far, told again and again while it grows (B180).
 * Others go as they are: to cut them would cost more time than it saves room.
 */
export const CUT_LENGTH_MIN = 16 * 1024;

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
    const isCut = body.length >= CUT_LENGTH_MIN;
    if (bodies.length > 0 && (isCut || length + body.length > ROW_LENGTH_MAX)) {
      rows.push(toRow(bodies));
      bodies = [];
      length = 0;
    }
    if (isCut) {
      rows.push({ entryCount: 1, body, isCut });
    } else {
      bodies.push(body);
      length += body.length;
    }
  }
  if (bodies.length > 0) rows.push(toRow(bodies));
  return rows;
}

/** Takes a row's events apart again. */
export function fromCommitRow({ entryCount, body }: Omit<CommitRow, 'isCut'>): string[] {
  return entryCount === 1 ? [body] : body.split('\n');
}

/** Guards texts that SQLite would not give back as they were. @throws TypeError */
export function assertWellFormed(what: string, text: string): void {
  if (!text.isWellFormed()) throw new TypeError(`${what} holds half a surrogate pair`);
}

function toRow(bodies: readonly string[]): CommitRow {
  return { entryCount: bodies.length, body: bodies.join('\n'), isCut: false };
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
