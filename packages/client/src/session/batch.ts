import { memberText, paramText, type NotificationMessage } from '@signalbox/acp';
import { decodeEvent, itemTexts, type StoredEvent } from '@signalbox/core';
import { ClientError } from '../client-error.ts';

/** One event of a session's log, or one that stands for several adjacent ones. */
export interface LogItem extends StoredEvent {
  /** How long its JSON text is, in UTF-16 code units: what it costs to keep it. */
  readonly length: number;
}

/** What one `_signalbox/session/events` brings. */
export interface Batch {
  /** In the order of the log; at least one. */
  readonly items: readonly LogItem[];
  /** The place behind the last item. */
  readonly cursor: string;
}

/**
 * Reads a notification of events. What agents wrote keeps its exact text.
 *
 * @throws ClientError `invalid_response` when it is not what was agreed on.
 */
export function toBatch(message: NotificationMessage): Batch {
  const list = paramText(message, 'events');
  const { cursor } = message.params as { cursor?: unknown };
  if (typeof cursor !== 'string' || list?.startsWith('[') !== true) throw malformed('');
  const items = itemTexts(list).map(toItem);
  if (items.length === 0) throw malformed(': it has no events');
  return { items, cursor };
}

function toItem(text: string): LogItem {
  const seq = numberOf(text, 'seq');
  const firstSeq = numberOf(text, 'firstSeq') ?? seq;
  const eventText = memberText(text, 'event');
  if (seq === undefined || firstSeq === undefined || firstSeq > seq || eventText === undefined) {
    throw malformed(': an item has no place or no event');
  }
  try {
    const event = decodeEvent(eventText);
    const item = { seq, event, length: text.length };
    return firstSeq === seq ? item : { ...item, firstSeq };
  } catch (cause) {
    throw malformed(`: event ${seq} cannot be read`, cause);
  }
}

function numberOf(text: string, member: string): number | undefined {
  const number = Number(memberText(text, member));
  return Number.isSafeInteger(number) ? number : undefined;
}

function malformed(what: string, cause?: unknown): ClientError {
  return new ClientError('invalid_response', `a malformed notification of events${what}`, {
    cause,
  });
}
