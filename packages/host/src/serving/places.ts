import {
  isCoreError,
  parseCursor,
  toCursor,
  type CursorPlace,
  type SessionId,
} from '@signalbox/core';
import { CURSOR_META } from './acp-view/event-delivery.ts';
import { invalidParams } from './to-rpc-error.ts';

/**
 * The place that a client names by a cursor.
 *
 * @throws RpcError -32602 with `data.reason` when it is no cursor, or one of another session (B160).
 */
export function toPlace(sessionId: SessionId, cursor: unknown): CursorPlace {
  if (typeof cursor !== 'string') throw invalidParams('the cursor must be a string');
  try {
    return parseCursor(sessionId, cursor);
  } catch (error) {
    if (!isCoreError(error)) throw error;
    throw invalidParams(error.message, { sessionId, reason: error.code });
  }
}

/** `_meta` with the client's place in a session's log. */
export function cursorMeta(sessionId: SessionId, seq: number): Readonly<Record<string, string>> {
  return { [CURSOR_META]: toCursor(sessionId, seq) };
}
