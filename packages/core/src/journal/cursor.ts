import { CoreError } from '../core-error.ts';
import type { SessionId } from '../session/ids.ts';

/**
 * A reader's place in one session's log: opaque, URL-safe, sortable as text within its session, and
 * exclusive ("after this event"). It is bound to its session, so a cursor of another one is refused
 * instead of silently pointing somewhere else.
 */
export type Cursor = string & { readonly __brand: 'Cursor' };

/** What a cursor says. */
export interface CursorPlace {
  /** Every event up to here has been processed. */
  readonly seq: number;
  /**
   * How many messages of the event behind that have been processed too, for readers to whom one event
   * is told in several messages. Others ignore it and read that event again, whole.
   */
  readonly part: number;
}

const PATTERN = /^c1\.([0-9a-z]{7})\.([0-9]{12})(?:\.([0-9]{4}))?$/;

/** The largest sequence number that a cursor can name. */
export const CURSOR_SEQ_MAX = 999_999_999_999;
/** The largest part of an event that a cursor can name. */
export const CURSOR_PART_MAX = 9999;

/** Makes the cursor that stands after event `seq` of a session's log, and `part` messages of the next. */
export function toCursor(sessionId: SessionId, seq: number, part = 0): Cursor {
  const place = headOf(sessionId, Math.floor(seq / 1000)) + lastDigits(seq % 1000);
  return (part === 0 ? place : `${place}.${String(part).padStart(4, '0')}`) as Cursor;
}

/**
 * Reads a cursor that a client sent.
 *
 * @throws CoreError `cursor_malformed` when the text is no cursor, `cursor_foreign` when it is one of
 *   another session; never falls back to "live".
 */
export function parseCursor(sessionId: SessionId, text: string): CursorPlace {
  const match = PATTERN.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new CoreError('cursor_malformed', `"${text.slice(0, 40)}" is not an event cursor`);
  }
  if (match[1] !== tagOf(sessionId)) {
    throw new CoreError('cursor_foreign', `"${text}" is a cursor of another session`);
  }
  return { seq: Number(match[2]), part: Number(match[3] ?? 0) };
}

let lastHead = '';
let lastHeadSession: SessionId | undefined;
let lastThousands = -1;

/** All but the last three digits, which is the same for thousands of cursors that are made in a row. */
function headOf(sessionId: SessionId, thousands: number): string {
  if (sessionId === lastHeadSession && thousands === lastThousands) return lastHead;
  lastHead = `c1.${tagOf(sessionId)}.${String(thousands).padStart(9, '0')}`;
  lastHeadSession = sessionId;
  lastThousands = thousands;
  return lastHead;
}

function lastDigits(number: number): string {
  if (number > 99) return `${number}`;
  return number > 9 ? `0${number}` : `00${number}`;
}

/** A short hash (FNV-1a) of a session's id. It finds mix-ups; it protects nothing. */
function tagOf(sessionId: SessionId): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < sessionId.length; at++) {
    hash = Math.imul(hash ^ sessionId.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36).padStart(7, '0');
}
