import { toCursor, type SessionId, type StoredEntry } from '@signalbox/core';

/** One page of a session's events, as JSON. What is somebody else's keeps its exact text. */
export function toPageText(
  sessionId: SessionId,
  entries: readonly StoredEntry[],
  next: { readonly seq: number; readonly isAtHead: boolean },
): string {
  const events = entries.map((entry) => {
    const cursor = JSON.stringify(toCursor(sessionId, entry.seq));
    return `{"seq":${entry.seq},"cursor":${cursor},"event":${entry.body}}`;
  });
  const cursor = JSON.stringify(toCursor(sessionId, next.seq));
  const id = JSON.stringify(sessionId);
  return `{"sessionId":${id},"events":[${events.join(',')}],"next":${cursor},"isAtHead":${next.isAtHead}}`;
}

/** One event of a session as an event of an event stream. */
export function toStreamEvent(sessionId: SessionId, { seq, body }: StoredEntry): string {
  // A carriage return would end the line. In JSON it can only stand between tokens, like a space.
  const event = body.includes('\r') ? body.replaceAll('\r', ' ') : body;
  return `id: ${toCursor(sessionId, seq)}\nevent: session\ndata: {"seq":${seq},"event":${event}}\n\n`;
}

/** The bytes of events, for as long as somebody has the events: whoever follows a session is told the same. */
const bytesOf = new WeakMap<StoredEntry, Buffer>();

/** The bytes of {@link toStreamEvent}, made once for all who are told the same event. */
export function toStreamBytes(sessionId: SessionId, entry: StoredEntry): Buffer {
  const known = bytesOf.get(entry);
  if (known !== undefined) return known;
  const bytes = Buffer.from(toStreamEvent(sessionId, entry));
  bytesOf.set(entry, bytes);
  return bytes;
}

/** Something about the stream itself. It has no id, so whoever comes back does so where it stood. */
export function toNotice(name: 'caught_up' | 'gap' | 'ended', data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Sets the id that a reader comes back with, and is no event. */
export function toPrimer(sessionId: SessionId, seq: number): string {
  return `id: ${toCursor(sessionId, seq)}\n\n`;
}

/** Takes events from the front until they have this length together; at least one if there is one. */
export function cutPage(
  entries: readonly StoredEntry[],
  lengthMax: number,
): readonly StoredEntry[] {
  let length = 0;
  const end = entries.findIndex(({ body }) => (length += body.length) >= lengthMax);
  return end < 0 ? entries : entries.slice(0, end + 1);
}
