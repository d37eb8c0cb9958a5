import type { SessionEvent } from '../session/event.ts';
import { checkLimit } from '../shape/check-limit.ts';
import type { Burst } from './burst.ts';
import { startLatestBurst } from './latest-burst.ts';
import type { StoredEvent } from './stored-event.ts';
import { startTextBurst } from './text-burst.ts';

/** An event, or several adjacent ones that mean the same as one. */
export interface MergedEvent extends Required<StoredEvent> {
  /** How many events of the log this stands for; 1 for an event exactly as it is. */
  readonly count: number;
}

/** Merges bursts of events on their way to a client. */
export interface EventMerger {
  /** Takes the next event of the log. @returns what cannot grow any more, in order. */
  add(stored: StoredEvent): readonly MergedEvent[];
  /** Gives what was held back, when nothing more is waited for. */
  flush(): readonly MergedEvent[];
}

/** UTF-8 bytes of text that become one event. */
export const MERGED_BYTES_MAX = 4096;

/** How an {@link EventMerger} works. */
export interface MergeOptions {
  /** UTF-8 bytes of a merged text; {@link MERGED_BYTES_MAX} unless given. A longer piece stays alone. */
  readonly bytesMax?: number;
}

/**
 * Merges adjacent updates of one turn where folding the result gives the same transcript:
 *
 * - pieces of one text: chunks of one kind and one message that hold plain text and nothing else. Chunks of
 *   a user's message within a turn are left alone, because each is compared with the prompt (B86).
 * - news about a tool call, the usage or the plan that the next one wholly supersedes: the next one says
 *   anew whatever it says, and the status is the same. The last one stands for all.
 *
 * Nothing is merged across any other event, and nothing that has members which this version does not know,
 * that does not fit the protocol or that a client has caused.
 *
 * What was merged has the time of its first event, and the exact text of its strings. Everything else comes
 * out as it went in. At most one burst is held back; there is no clock here, so whoever uses this flushes.
 *
 * @throws CoreError `limit_invalid` when `bytesMax` is not a whole number from 0.
 */
export function createEventMerger({ bytesMax = MERGED_BYTES_MAX }: MergeOptions = {}): EventMerger {
  checkLimit('bytesMax', bytesMax, 0);
  let held: { readonly firstSeq: number; seq: number; readonly burst: Burst } | undefined;

  const flush = (): MergedEvent[] => {
    if (held === undefined) return [];
    const { firstSeq, seq, burst } = held;
    held = undefined;
    return [toMerged(firstSeq, seq, burst.toEvent())];
  };

  const add = ({ seq, firstSeq = seq, event }: StoredEvent): MergedEvent[] => {
    if (held?.seq === firstSeq - 1 && event.type === 'update' && held.burst.take(event)) {
      held.seq = seq;
      return held.burst.isFull ? flush() : [];
    }
    const done = flush();
    const burst = startBurst(event, bytesMax);
    if (burst === undefined || burst.isFull) return [...done, toMerged(firstSeq, seq, event)];
    held = { firstSeq, seq, burst };
    return done;
  };

  return { add, flush };
}

function toMerged(firstSeq: number, seq: number, event: SessionEvent): MergedEvent {
  return { firstSeq, seq, event, count: seq - firstSeq + 1 };
}

function startBurst(event: SessionEvent, bytesMax: number): Burst | undefined {
  if (event.type !== 'update') return undefined;
  return startTextBurst(event, bytesMax) ?? startLatestBurst(event);
}
