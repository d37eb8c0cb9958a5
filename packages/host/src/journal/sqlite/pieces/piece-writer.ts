import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { SqliteDatabase } from '../sqlite-database.ts';
import { cutText } from './cut-text.ts';
import { encodePieceList } from './piece-list.ts';

/**
 * Prepares the statements and returns a function that stores those pieces of a text that its stream
 * does not have yet, inside the open transaction, and returns the list of all of them as bytes.
 *
 * What the file has is asked of the file and remembered nowhere else: a memory of it would have to be
 * undone with each transaction that fails, and saved less than a tenth of the time.
 */
export function createPieceWriter(
  db: SqliteDatabase,
): (streamKey: number, text: string) => Uint8Array {
  const find = db.prepare('SELECT piece FROM piece_digests WHERE stream = ? AND digest = ?');
  const insertPiece = db.prepare('INSERT INTO pieces (body) VALUES (?)');
  const insertDigest = db.prepare(
    'INSERT INTO piece_digests (stream, digest, piece) VALUES (?, ?, ?)',
  );

  const store = (streamKey: number, piece: string): number => {
    const digest = hash('sha256', piece, 'buffer');
    const found = find.get(streamKey, digest) as { piece: number } | undefined;
    if (found !== undefined) return found.piece;
    const number = Number(insertPiece.run(piece).lastInsertRowid);
    insertDigest.run(streamKey, digest, number);
    return number;
  };

  return (streamKey, text) => {
    const pieces = cutText(text).map((piece) => store(streamKey, piece));
    return encodePieceList({ checksum: crc32(text), pieces });
  };
}
