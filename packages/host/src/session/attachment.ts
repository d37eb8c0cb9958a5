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
  // One listener for all waits: many follow a session, and each waits for every event.
  let wake: () => void = () => undefined;
  const onAbort = (): void => wake();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    while (signal?.aborted !== true) {
      const hot = tail.after(seq);
      const entries = hot ?? (await journal.read(stream, seq, PAGE_LENGTH));
      const last = entries[entries.length - 1];
      if (last !== undefined) {
        yield entries;
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
