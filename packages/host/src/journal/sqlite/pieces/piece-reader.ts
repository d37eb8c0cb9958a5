import { crc32 } from 'node:zlib';
import { CoreError } from '@signalbox/core';
import type { SqliteDatabase } from '../sqlite-database.ts';
import { decodePieceList } from './piece-list.ts';

/** Which event a text is, to say so when it is damaged. */
export interface EventPlace {
  readonly stream: string;
  readonly seq: number;
}

interface Joined {
  readonly found: number;
  /** UTF-8; null for an empty list. */
  readonly joined: Buffer | null;
}

/**
 * Prepares the statement and returns a function that puts the text of an event together again.
 *
 * Call it in the transaction in which the list was read: a stream that is deleted in between would seem
 * to have lost its pieces.
 *
 * The function throws a {@link CoreError} `journal_corrupt` when a piece is missing or is not what it was.
 */
export function createPieceReader(
  db: SqliteDatabase,
): (list: Uint8Array, place: EventPlace) => string {
  // SQLite joins them, and gives bytes, because Node decodes those faster than SQLite's driver does: so a
  // text takes no longer than one in a row of its own. Piece by piece it took seven times as long.
  // CROSS JOIN makes the list the outer loop, so that the pieces come in its order; the checksum
  // would tell if they did not.
  const join = db.prepare(
    `SELECT count(*) AS found, CAST(group_concat(body, '') AS BLOB) AS joined
     FROM json_each(?) AS listed CROSS JOIN pieces ON pieces.key = listed.value`,
  );
  return (bytes, { stream, seq }) => {
    const list = decodePieceList(bytes);
    if (list === undefined) throw damaged(stream, seq, 'its list of pieces is damaged');
    const { found, joined } = join.get(JSON.stringify(list.pieces)) as Joined;
    const missing = list.pieces.length - found;
    if (missing > 0) {
      throw damaged(stream, seq, `${missing} of its ${list.pieces.length} pieces are missing`);
    }
    if (joined === null || crc32(joined) !== list.checksum) {
      throw damaged(stream, seq, 'its pieces do not give the text that was stored');
    }
    return joined.toString();
  };
}

function damaged(stream: string, seq: number, what: string): CoreError {
  return new CoreError('journal_corrupt', `event ${seq} of "${stream}" cannot be read: ${what}`);
}
