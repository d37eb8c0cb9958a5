import { RawJson } from '@signalbox/acp';
import { toCursor, type SessionId, type StoredEntry } from '@signalbox/core';
import type { Session } from '../../session/session.ts';

/** Some events of a session as one message of the log view. */
export interface EventBatch {
  readonly params: RawJson;
  readonly cursor: string;
  readonly lastSeq: number;
}

/**
 * How much one message holds, in characters; a single event may be longer. A client whose line breaks
 * gets on by whole messages, so they must not be long ones.
 */
export const BATCH_LENGTH_MAX = 128 * 1024;

/** The last batch of each session. Clients that keep up are all told the same. */
const shared = new WeakMap<Session, { readonly firstSeq: number; readonly batch: EventBatch }>();

/** Messages that tell these entries, each made once for all clients that are told the same. */
export function* toBatches(
  session: Session,
  entries: readonly StoredEntry[],
): Iterable<EventBatch> {
  let from = 0;
  while (from < entries.length) {
    const to = endOfBatch(entries, from);
    yield batchOf(session, entries.slice(from, to));
    from = to;
  }
}

/** The params of one message; `items` is the JSON text of its events. */
export function toEventParams(sessionId: SessionId, items: string, cursor: string): RawJson {
  const { lineText } = new RawJson(
    `{"sessionId":${JSON.stringify(sessionId)},"events":[${items}],"cursor":"${cursor}"}`,
  );
  // Searched for line ends once, and not for each client that is told it.
  return new RawJson(lineText, undefined, true);
}

function batchOf(session: Session, entries: readonly StoredEntry[]): EventBatch {
  const firstSeq = entries[0]?.seq ?? 0;
  const lastSeq = entries[entries.length - 1]?.seq ?? 0;
  const known = shared.get(session);
  if (known?.firstSeq === firstSeq && known.batch.lastSeq === lastSeq) return known.batch;
  const cursor = toCursor(session.id, lastSeq);
  const items = entries.map(({ seq, body }) => `{"seq":${seq},"event":${body}}`).join(',');
  const batch = { params: toEventParams(session.id, items, cursor), cursor, lastSeq };
  shared.set(session, { firstSeq, batch });
  return batch;
}

function endOfBatch(entries: readonly StoredEntry[], from: number): number {
  let length = 0;
  let at = from;
  for (; at < entries.length; at++) {
    length += entries[at]?.body.length ?? 0;
    if (length > BATCH_LENGTH_MAX && at > from) break;
  }
  return at;
}
