import type { CoreErrorCode } from '@signalbox/core';

/** Why something failed, as plain data: an error loses its code on the way between threads. */
export interface Failure {
  readonly code: CoreErrorCode;
  readonly message: string;
  readonly hint?: string;
  /** The driver's or the system's own error. */
  readonly cause?: { readonly message: string; readonly code: string };
}

/**
 * Says what an error of SQLite or of the file system means for the journal in `file`.
 *
 * @param doing what was tried, as in "cannot ${doing}".
 */
export function toFailure(error: unknown, doing: string, file: string): Failure {
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  return {
    code: isCorruption(code) ? 'journal_corrupt' : 'journal_write_failed',
    message: `cannot ${doing} in ${file}: ${text}`,
    hint: hintFor(code, file),
    cause: { message: text, code },
  };
}

/** Whether another process held the file for longer than we wait. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/** The name that SQLite or the system gave an error; empty for an error of another origin. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

function isCorruption(code: string): boolean {
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/** What a full disk looks like; the last one, when even reading needs a little room. */
const NO_ROOM: ReadonlySet<string> = new Set([
  ...['SQLITE_FULL', 'ENOSPC', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE'],
]);

function hintFor(code: string, file: string): string {
  if (isCorruption(code)) {
    return `Check ${file} with SQLite's "PRAGMA integrity_check"; restore it from a copy, or move it away to start with an empty journal.`;
  }
  if (NO_ROOM.has(code)) {
    return `Free space on the disk that holds ${file}, or raise its size limit; the journal goes on as soon as there is room.`;
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return `Another process keeps ${file} locked; end it, or try again.`;
  }
  return `See whether ${file} and its folder exist, may be written by this user and lie on a healthy disk.`;
}
