import { toCursor, type SessionId, type StoredEntry } from '@signalbox/core';

/**
 * One event as one line of JSON: the stored text with the session and the event's id in front. What
 * is somebody else's keeps its exact text.
 */
export function toJsonLine(sessionId: SessionId, entry: StoredEntry): string {
  const id = toCursor(sessionId, entry.seq);
  const head = `{"sessionId":${JSON.stringify(sessionId)},"id":"${id}","seq":${entry.seq}`;
  return `${head},${entry.body.slice(1)}\n`;
}
