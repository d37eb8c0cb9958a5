import type { StoredEntry } from '../journal/journal.ts';
import type { SessionEvent } from '../session/event.ts';
import { decodeEvent, encodeEvent } from '../session/event-text.ts';

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
 * An entry that was made of an event and still has it. It is a private member and not one of a WeakMap, which
 * makes every event cost a fifth more.
 */
class MadeEntry implements StoredEntry {
  readonly seq: number;
  readonly body: string;
  readonly #event: SessionEvent;

  constructor(seq: number, event: SessionEvent) {
    this.seq = seq;
    this.body = encodeEvent(event);
    this.#event = event;
  }

  static eventOf(entry: StoredEntry): SessionEvent | undefined {
    return #event in entry ? entry.#event : undefined;
  }
}

/** The entry of an event. Whoever gets this very entry need not decode it. */
export function toStoredEntry(seq: number, event: SessionEvent): StoredEntry {
  return new MadeEntry(seq, event);
}

/**
 * Decodes an entry of a journal.
 *
 * @throws CoreError `journal_corrupt` when the entry holds no event.
 */
export function toStoredEvent(entry: StoredEntry): StoredEvent {
  const { seq, body } = entry;
  return { seq, event: MadeEntry.eventOf(entry) ?? decodeEvent(body) };
}
