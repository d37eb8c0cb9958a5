import Database from 'better-sqlite3';

/** A value that SQLite stores. */
export type SqliteValue = string | number | Uint8Array | null;

/** The little of a prepared statement that the journal needs; any SQLite driver can offer it. */
export interface SqliteStatement {
  /** Runs a statement that returns no rows. */
  run(...values: SqliteValue[]): { readonly lastInsertRowid: number | bigint };
  /** The first row, or undefined. */
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
  /** Reads row by row, so a reader can stop before it has loaded them all. */
  iterate(...values: SqliteValue[]): IterableIterator<unknown>;
}

/** The little of an open database that the journal needs. */
export interface SqliteDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  pragma(sql: string, options?: { simple?: boolean }): unknown;
  close(): unknown;
}

/** How long one connection waits for another process's transaction before it gives up, in ms. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens a connection to a file that exists. SQLite reads the file only with the first statement.
 *
 * @throws the driver's error, whose `code` is a SQLite result name such as `SQLITE_CANTOPEN`.
 */
export function openDatabase(file: string): SqliteDatabase {
  return new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
}
