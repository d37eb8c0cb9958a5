import { memberText } from '@signalbox/acp';
import {
  decodeEvent,
  type SessionId,
  type StoredEntry,
  toCursor,
  toPrintableLine,
} from '@signalbox/core';
import type { Style } from './style.ts';

/** Characters of an event's data that are shown on its line. */
const DATA_LENGTH_MAX = 160;

/** One event on one line, for people: its id, time and type, and the beginning of its data. */
export function toLogLine(sessionId: SessionId, entry: StoredEntry, style: Style): string {
  const event = decodeEvent(entry.body);
  const time = new Date(event.time).toISOString().slice(11, 23);
  const id = style.dim(toCursor(sessionId, entry.seq));
  const data =
    event.type === 'update' ? event.data.update.text : (memberText(entry.body, 'data') ?? '');
  return `${id}  ${style.dim(time)}  ${style.bold(event.type)}  ${shorten(data)}\n`;
}

function shorten(text: string): string {
  const characters = Array.from(toPrintableLine(text.slice(0, 4 * DATA_LENGTH_MAX)));
  if (characters.length <= DATA_LENGTH_MAX) return characters.join('');
  return `${characters.slice(0, DATA_LENGTH_MAX).join('')}…`;
}
