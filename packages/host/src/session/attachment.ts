import type { Journal, StoredEntry, StreamId } from '@signalbox/core';
import type { HotTail } from './hot-tail.ts';

/** How many events are read from the journal at a time: at first, and at most. */
const COUNT_FIRST = 32;
const COUNT_MAX = 512;
/** About how much that should be, in characters: so much does a follower hold while it is waited for (B183). */
const PAGE_LENGTH = 256 * 1024;

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
  let count = COUNT_FIRST;
  // One listener for all waits: many follow a session, and each waits for every event.
  let wake: () => void = () => undefined;
  const onAbort = (): void => wake();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    while (signal?.aborted !== true) {
      const hot = tail.after(seq);
      const entries = hot ?? (await journal.read(stream, seq, count));
      const last = entries[entries.length - 1];
      if (last !== undefined) {
        yield entries;
        if (hot === undefined) count = countAfter(entries);
        seq = last.seq;
      } else if (tail.isClosed) {
        return;
      } else if (tail.headSeq <= seq) {
        await new Promise<void>((resolve) => tail.onNextMove((wake = resolve)));
      }
    }
  } finally {
    tail.offNextMove(wake);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** How many events make a page, if they are as long as those of the page before. */
function countAfter(page: readonly StoredEntry[]): number {
  const length = page.reduce((sum, { body }) => sum + body.length, 0);
  const fitting = Math.floor((PAGE_LENGTH * page.length) / Math.max(1, length));
  return Math.min(COUNT_MAX, Math.max(1, fitting));
}
