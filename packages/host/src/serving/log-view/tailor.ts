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
import { contentDigest } from './content-digest.ts';
import { BATCH_LENGTH_MAX, toEventParams, type EventBatch } from './event-batch.ts';
import type { EventTailor } from './log-view.ts';

/** What a client asked for beside the plain events. */
export interface TailorOptions {
  readonly merge: boolean;
  /** Longer strings go by reference, in UTF-8 bytes; undefined: none do. */
  readonly inlineBytesMax: number | undefined;
}

/** Messages for a client that wants bursts merged or large strings by reference. */
export function createTailor(
  sessionId: SessionId,
  { merge, inlineBytesMax }: TailorOptions,
): EventTailor {
  const toItems = merge ? createMerging(inlineBytesMax) : plain;
  return {
    gathers: merge,
    *toBatches(entries, isBehind) {
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
      for (const { firstSeq, seq, body } of toItems(entries, isBehind)) {
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

type ToItems = (entries: readonly StoredEntry[], isBehind: boolean) => Iterable<Item>;

function* plain(entries: readonly StoredEntry[]): Iterable<Item> {
  for (const { seq, body } of entries) yield { firstSeq: seq, seq, body };
}

/**
 * Merges bursts. The last one is held back while the client is behind the end of the log, because what follows
 * may supersede it: large events come one at a time, and a slow client needs merging most (B180).
 */
function createMerging(inlineBytesMax = MERGED_BYTES_MAX): ToItems {
  // A merged text is nowhere in the log, so it has to go inline as a whole.
  const bytesMax = Math.min(inlineBytesMax, MERGED_BYTES_MAX);
  let merger = createEventMerger({ bytesMax });
  let held: StoredEntry | undefined;

  return function* merged(entries, isBehind) {
    const last = entries[entries.length - 1];
    if (last === undefined) return;
    const before = held?.seq === (entries[0]?.seq ?? 0) - 1 ? held : undefined;
    // Whoever goes on from another place is told from there on; what was held back was not told.
    if (before === undefined) merger = createEventMerger({ bytesMax });
    const known = before === undefined ? entries : [before, ...entries];
    const bodies = new Map(known.map(({ seq, body }) => [seq, body]));
    const toItem = ({ firstSeq, seq, event, count }: MergedEvent): Item => ({
      firstSeq,
      seq,
      body: (count === 1 ? bodies.get(seq) : undefined) ?? encodeEvent(event),
    });
    held = isBehind ? last : undefined;
    for (const entry of entries) {
      for (const event of merger.add(toStoredEvent(entry))) yield toItem(event);
    }
    if (isBehind) return;
    for (const event of merger.flush()) yield toItem(event);
  };
}

function referenced(body: string, seq: number, inlineBytesMax: number): string {
  // Most events are short as a whole.
  if (body.length <= inlineBytesMax) return body;
  return withReferences(body, { inlineBytesMax, seq, digest: contentDigest }).text;
}
