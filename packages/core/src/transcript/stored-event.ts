import type { StoredEntry } from '../journal/journal.ts';
import type { SessionEvent } from '../session/event.ts';
import { decodeEvent } from '../session/event-text.ts';

/** An event with its place in the log. */
export interface StoredEvent {
  readonly seq: number;
  /**
   * Set when this stands for several adjacent events, from `firstSeq` to `seq`, that mean the same as one:
   * pieces of one text. Folding it gives what folding each of them gives.
   */
  readonly firstSeq?: number;
  readonly event: SessionEvent;
}

/**
 * Decodes an entry of a journal.
 *
 * @throws CoreError `journal_corrupt` when the entry holds no event.
 */
export function toStoredEvent({ seq, body, event }: StoredEntry): StoredEvent {
  return { seq, event: event ?? decodeEvent(body) };
}
