import { CoreError } from '../core-error.ts';

/**
 * A reader's place in one stream: opaque, URL-safe, sortable as text, and exclusive ("after this
 * event"). It names the log's epoch, which changes only when a log is rebuilt, so a cursor of an
 * older log is refused instead of silently pointing somewhere else.
 */
export type Cursor = string & { readonly __brand: 'Cursor' };

const PATTERN = /^e([0-9a-z]{4})-([0-9]{12})$/;

/** The largest sequence number a cursor can name. */
export const CURSOR_SEQ_MAX = 999_999_999_999;

/** Makes the cursor that stands after event `seq` of a log with this `epoch` (both from 0). */
export function toCursor(epoch: number, seq: number): Cursor {
  return `e${epoch.toString(36).padStart(4, '0')}-${String(seq).padStart(12, '0')}` as Cursor;
}

/**
 * Reads a cursor that a client sent.
 *
 * @throws CoreError `cursor_malformed` when the text is no cursor; never falls back to "live".
 */
export function parseCursor(text: string): { readonly epoch: number; readonly seq: number } {
  const match = PATTERN.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new CoreError('cursor_malformed', `"${text.slice(0, 40)}" is not an event cursor`);
  }
  return { epoch: Number.parseInt(match[1], 36), seq: Number(match[2]) };
}
