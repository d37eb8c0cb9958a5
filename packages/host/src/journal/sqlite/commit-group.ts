import { Refusal } from './apply-operation.ts';
import { isBusy, toFailure } from './failure.ts';
import type { Operation, Outcome } from './operations.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/**
 * Commits operations of many callers in one transaction, so that they share one wait for the disk.
 * Each of them succeeds or fails alone: a refused one writes nothing, and if the transaction fails,
 * each is tried again by itself, so that one that does not fit on the disk spoils no other.
 */
export function commitGroup(
  db: SqliteDatabase,
  apply: (operation: Operation) => number,
  operations: readonly Operation[],
  file: string,
): Outcome[] {
  try {
    return inTransaction(db, () => operations.map((operation) => attempt(apply, operation)));
  } catch (error) {
    // Waiting for another process once is enough; each operation would wait as long again.
    if (operations.length > 1 && !isBusy(error)) {
      return operations.flatMap((operation) => commitGroup(db, apply, [operation], file));
    }
    return operations.map(({ kind }) => ({
      ok: false,
      failure: toFailure(error, kind.replaceAll('_', ' '), file),
    }));
  }
}

function attempt(apply: (operation: Operation) => number, operation: Operation): Outcome {
  try {
    return { ok: true, value: apply(operation) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, failure: { code: error.code, message: error.message } };
  }
}

/** Takes the write lock at the start, so that what is checked inside cannot change before COMMIT. */
function inTransaction<T>(db: SqliteDatabase, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}
