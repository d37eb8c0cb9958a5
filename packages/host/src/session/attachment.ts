import type { Journal, StoredEntry, StreamId } from '@signalbox/core';
import type { HotTail } from './hot-tail.ts';

/** Events read from the journal at a time. */
const PAGE_LENGTH = 512;

/**
 * Follows one log from a place on: a follower is a cursor and nothing more. There is no queue per
 * follower that could overflow or differ; whoever is slow reads on from where it stands.
 */
export async function* followLog(
  journal: Journal,
  stream: StreamId,
  tail: HotTail,
  afterSeq: number,
  signal?: AbortSignal,
): AsyncIterable<readonly StoredEntry[]> {
  let seq = afterSeq;
  for (;;) {
    if (signal?.aborted === true) return;
    const hot = tail.after(seq);
    const entries = hot ?? (await journal.read(stream, seq, PAGE_LENGTH));
    const last = entries[entries.length - 1];
    if (last !== undefined) {
      yield entries;
      seq = last.seq;
    } else if (tail.isClosed) {
      return;
    } else {
      await tail.whenPast(seq, signal);
    }
  }
}
