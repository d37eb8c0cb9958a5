import { createHash } from 'node:crypto';
import {
  createEventMerger,
  encodeEvent,
  MERGED_BYTES_MAX,
  toCursor,
  toStoredEvent,
  withReferences,
  type MergedEvent,
  type SessionId,
  type StoredEntry,
} from '@signalbox/core';
import { BATCH_LENGTH_MAX, toEventParams, type EventBatch } from './event-batch.ts';
import type { EventTailor } from './log-view.ts';

/** What a client asked for beside the plain events. */
export interface TailorOptions {
  readonly merge: boolean;
  /** Longer strings go by reference, in UTF-8 bytes; undefined: none do. */
  readonly inlineBytesMax: number | undefined;
}

/** Messages for a client that wants bursts merged or large strings by reference. */
export function createTailor(sessionId: SessionId, options: TailorOptions): EventTailor {
  const { merge, inlineBytesMax } = options;
  return {
    gathers: merge,
    *toBatches(entries) {
      let items: string[] = [];
      let length = 0;
      let lastSeq = 0;
      const flush = (): EventBatch => {
        const cursor = toCursor(sessionId, lastSeq);
        const batch = {
          params: toEventParams(sessionId, items.join(','), cursor),
          cursor,
          lastSeq,
        };
        items = [];
        length = 0;
        return batch;
      };
      for (const { firstSeq, seq, body } of merge
        ? merged(entries, inlineBytesMax)
        : plain(entries)) {
        const text = inlineBytesMax === undefined ? body : referenced(body, seq, inlineBytesMax);
        const first = firstSeq === seq ? '' : `"firstSeq":${firstSeq},`;
        if (length > 0 && length + text.length > BATCH_LENGTH_MAX) yield flush();
        items.push(`{${first}"seq":${seq},"event":${text}}`);
        length += text.length;
        lastSeq = seq;
      }
      if (items.length > 0) yield flush();
    },
  };
}

interface Item {
  readonly firstSeq: number;
  readonly seq: number;
  readonly body: string;
}

function* plain(entries: readonly StoredEntry[]): Iterable<Item> {
  for (const { seq, body } of entries) yield { firstSeq: seq, seq, body };
}

/** A merged text is nowhere in the log, so it has to go inline as a whole. */
function* merged(
  entries: readonly StoredEntry[],
  inlineBytesMax = MERGED_BYTES_MAX,
): Iterable<Item> {
  const merger = createEventMerger({ bytesMax: Math.min(inlineBytesMax, MERGED_BYTES_MAX) });
  const bodies = new Map(entries.map(({ seq, body }) => [seq, body]));
  const toItem = ({ firstSeq, seq, event, count }: MergedEvent): Item => ({
    firstSeq,
    seq,
    body: (count === 1 ? bodies.get(seq) : undefined) ?? encodeEvent(event),
  });
  for (const entry of entries) {
    for (const event of merger.add(toStoredEvent(entry))) yield toItem(event);
  }
  for (const event of merger.flush()) yield toItem(event);
}

function referenced(body: string, seq: number, inlineBytesMax: number): string {
  // Most events are short as a whole.
  if (body.length <= inlineBytesMax) return body;
  return withReferences(body, { inlineBytesMax, seq, digest }).text;
}

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
