import type { CoreErrorCode } from '@signalbox/core';
import type { Operation } from './operations.ts';
import { createPieceWriter } from './pieces/piece-writer.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** An operation whose condition does not hold. Thrown before anything of it was written. */
export class Refusal extends Error {
  readonly code: CoreErrorCode;

  constructor(code: CoreErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

type Append = Extract<Operation, { kind: 'append' }>;

/**
 * Prepares the statements and returns a function that carries out one operation inside the open
 * transaction and returns its outcome's value.
 *
 * The function throws a {@link Refusal}, which leaves the transaction as it was, or the driver's
 * error, after which the transaction must be rolled back.
 */
export function createApplier(db: SqliteDatabase): (operation: Operation) => number {
  const append = createAppender(db);
  const applyToRecord = createRecordWriter(db);
  const putSnapshot = db.prepare(
    `INSERT INTO snapshots (stream, seq, format, state) VALUES (?, ?, ?, ?)
     ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, format = excluded.format,
     state = excluded.state WHERE excluded.seq >= seq`,
  );
  const deletions = [
    `DELETE FROM pieces WHERE key IN
     (SELECT piece FROM piece_digests WHERE stream = (SELECT key FROM streams WHERE id = ?))`,
    'DELETE FROM piece_digests WHERE stream = (SELECT key FROM streams WHERE id = ?)',
    'DELETE FROM commits WHERE stream = (SELECT key FROM streams WHERE id = ?)',
    'DELETE FROM streams WHERE id = ?',
    'DELETE FROM snapshots WHERE stream = ?',
  ].map((sql) => db.prepare(sql));

  return (operation) => {
    switch (operation.kind) {
      case 'append':
        return append(operation);
      case 'put_snapshot':
        putSnapshot.run(operation.stream, operation.seq, operation.format, operation.state);
        return 0;
      case 'delete_stream':
        for (const deletion of deletions) deletion.run(operation.stream);
        return 0;
      default:
        return applyToRecord(operation);
    }
  };
}

function createAppender(db: SqliteDatabase): (operation: Append) => number {
  const find = db.prepare('SELECT key, head_seq, generation FROM streams WHERE id = ?');
  const create = db.prepare(
    'INSERT INTO streams (id, head_seq, generation, epoch) VALUES (?, 0, 0, 0)',
  );
  const insert = db.prepare(
    'INSERT INTO commits (stream, last_seq, first_seq, generation, body) VALUES (?, ?, ?, ?, ?)',
  );
  const insertCut = db.prepare(
    `INSERT INTO commits (stream, last_seq, first_seq, generation, body, pieces)
     VALUES (?, ?, ?, ?, '', ?)`,
  );
  const storePieces = createPieceWriter(db);
  const move = db.prepare('UPDATE streams SET head_seq = ?, generation = ? WHERE key = ?');

  return ({ stream, generation, expectedSeq, rows }) => {
    const found = find.get(stream) as
      { key: number; head_seq: number; generation: number } | undefined;
    assertPosition(stream, generation, expectedSeq, found);
    if (rows.length === 0) return expectedSeq;
    const key = found?.key ?? Number(create.run(stream).lastInsertRowid);
    let seq = expectedSeq;
    for (const { entryCount, body, isCut } of rows) {
      const lastSeq = seq + entryCount;
      if (isCut) insertCut.run(key, lastSeq, seq + 1, generation, storePieces(key, body));
      else insert.run(key, lastSeq, seq + 1, generation, body);
      seq = lastSeq;
    }
    move.run(seq, generation, key);
    return seq;
  };
}

function assertPosition(
  stream: string,
  generation: number,
  expectedSeq: number,
  { head_seq: headSeq, generation: current } = { head_seq: 0, generation: 0 },
): void {
  if (generation < current) {
    const message = `generation ${generation} of "${stream}" was followed by ${current}`;
    throw new Refusal('stale_generation', message);
  }
  if (expectedSeq !== headSeq) {
    throw new Refusal('seq_conflict', `"${stream}" is at ${headSeq}, expected ${expectedSeq}`);
  }
}

function createRecordWriter(
  db: SqliteDatabase,
): (
  operation: Extract<Operation, { kind: 'create_record' | 'put_record' | 'delete_record' }>,
) => number {
  const find = db.prepare('SELECT revision FROM records WHERE key = ?');
  // One counter for all keys, so that a key deleted and made anew never gets an old revision back.
  const raise = db.prepare('UPDATE last_revision SET value = value + 1 RETURNING value');
  const store = db.prepare(
    'INSERT OR REPLACE INTO records (key, value, revision) VALUES (?, ?, ?)',
  );
  const remove = db.prepare('DELETE FROM records WHERE key = ?');

  return (operation) => {
    const { key } = operation;
    const found = find.get(key) as { revision: number } | undefined;
    if (operation.kind === 'create_record') {
      if (found !== undefined) {
        throw new Refusal('record_conflict', `a record "${key}" exists already`);
      }
    } else {
      const mayBeAbsent = operation.kind === 'delete_record';
      assertRevision(key, found?.revision, operation.revision, mayBeAbsent);
    }
    if (operation.kind === 'delete_record') {
      remove.run(key);
      return 0;
    }
    const { value: revision } = raise.get() as { value: number };
    store.run(key, operation.value, revision);
    return revision;
  };
}

function assertRevision(
  key: string,
  found: number | undefined,
  expected: number | undefined,
  mayBeAbsent: boolean,
): void {
  if (expected === undefined || found === expected) return;
  if (found === undefined && mayBeAbsent) return;
  const state = found === undefined ? 'does not exist' : `has revision ${found}`;
  throw new Refusal('record_conflict', `record "${key}" ${state}, expected revision ${expected}`);
}
