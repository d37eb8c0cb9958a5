import { parseCursor, type SessionId } from '@signalbox/core';
import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../problem/problem.ts';

/** What a reader of events asks for in the URL. */
export interface EventQuery {
  /** A cursor, or `start`. Absent: from the start. */
  readonly after?: string;
  readonly limit: number;
  /** Seconds to wait for an event if there is none. */
  readonly wait: number;
}

/** Most events on one page. */
export const PAGE_LENGTH_MAX = 500;
/** Longest wait of a poll, in seconds. */
export const WAIT_SECONDS_MAX = 30;

/** The JSON schema of {@link EventQuery}, with its defaults. */
export const EVENT_QUERY_SCHEMA = {
  type: 'object',
  properties: {
    after: { type: 'string', maxLength: 200 },
    limit: { type: 'integer', minimum: 1, maximum: PAGE_LENGTH_MAX, default: 100 },
    wait: { type: 'number', minimum: 0, maximum: WAIT_SECONDS_MAX, default: 0 },
  },
} as const;

/**
 * The event behind which a reader wants to go on. The header wins: a browser that comes back sends it
 * beside the address with which it began.
 *
 * @throws CoreError `cursor_malformed` or `cursor_foreign`; never falls back to another place (B160).
 */
export function toStartSeq(
  sessionId: SessionId,
  { after = 'start' }: EventQuery,
  headers: IncomingHttpHeaders,
): number {
  const lastEventId = headers['last-event-id'];
  const cursor = typeof lastEventId === 'string' ? lastEventId : after;
  return cursor === 'start' ? 0 : parseCursor(sessionId, cursor).seq;
}

/** The problem of a cursor behind the end of the log, as after an older copy was put back (B160). */
export function toGap(sessionId: SessionId): Problem {
  return {
    status: 410,
    code: 'cursor_gap',
    detail: `The log of session ${sessionId} does not reach as far. Read it anew, with after=start.`,
  };
}
