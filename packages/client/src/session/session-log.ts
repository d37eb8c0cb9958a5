import {
  BoundedTranscript,
  createTranscript,
  foldTranscript,
  type Transcript,
  type TranscriptBounds,
} from '@signalbox/core';
import type { Batch, LogItem } from './batch.ts';

/** What a batch of events is to a reader that stands at one place of the log. */
export type Judgement =
  /** These are the next events; what the reader had already is left out. */
  | { readonly kind: 'next'; readonly items: readonly LogItem[] }
  /** All of it is known. */
  | { readonly kind: 'known' }
  /** Something between the reader's place and these events is missing. */
  | { readonly kind: 'hole'; readonly expected: number; readonly found: number };

/** A reader's place in a session's log, and what the session looks like there. */
export class SessionLog {
  readonly #after: string | undefined;
  readonly #hasView: boolean;
  readonly #bounds: TranscriptBounds | undefined;
  #view: Transcript = createTranscript();
  /** The same, where it has bounds. */
  #bounded: BoundedTranscript | undefined;
  #cursor: string | undefined;
  /** The last event that was taken; undefined when the place is known by its cursor alone. */
  #lastSeq: number | undefined;

  /**
   * @param after the place to begin: `start`, or a cursor; undefined when a snapshot will tell.
   * @param hasView whether the events are folded into a view.
   * @param bounds how much the view keeps; undefined: everything.
   * @throws CoreError `limit_invalid` when a bound is none.
   */
  constructor(after: string | undefined, hasView: boolean, bounds?: TranscriptBounds) {
    this.#after = after;
    this.#hasView = hasView;
    this.#bounds = bounds;
    this.#bounded = bounds && new BoundedTranscript(this.#view, bounds);
    this.#cursor = after === 'start' ? undefined : after;
    this.#lastSeq = after === 'start' ? 0 : undefined;
  }

  /** The session so far. One object that changes in place, until a snapshot or the bounds replace it. */
  get view(): Transcript {
    return this.#view;
  }

  /** The place behind the last batch that was wholly processed; undefined before the first one. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** Where to go on: behind what was processed, or else where the reader wanted to begin. */
  get place(): string | undefined {
    return this.#cursor ?? this.#after;
  }

  /** Begins anew from a snapshot. */
  restart(view: Transcript, cursor: string): void {
    this.#view = view;
    this.#bounded = this.#bounds && new BoundedTranscript(view, this.#bounds);
    this.#lastSeq = view.lastSeq;
    this.#cursor = cursor;
  }

  /** Whether a batch continues the log here. A batch is taken as a whole or not at all. */
  judge({ items }: Batch): Judgement {
    const fresh = items.filter(({ seq }) => seq > (this.#lastSeq ?? 0));
    const [first] = fresh;
    if (first === undefined) return { kind: 'known' };
    let expected = (this.#lastSeq ?? startOf(first) - 1) + 1;
    for (const item of fresh) {
      const found = startOf(item);
      if (found !== expected) return { kind: 'hole', expected, found };
      expected = item.seq + 1;
    }
    return { kind: 'next', items: fresh };
  }

  /** Takes the next event in. */
  take(item: LogItem): void {
    if (this.#hasView) this.#fold(item);
    this.#lastSeq = item.seq;
  }

  /** Everything up to this place has been processed. */
  passed(cursor: string): void {
    this.#cursor = cursor;
  }

  #fold(item: LogItem): void {
    foldTranscript(this.#view, item);
    if (this.#bounded === undefined) return;
    this.#bounded.grew(item.length);
    this.#view = this.#bounded.current;
  }
}

function startOf({ seq, firstSeq = seq }: LogItem): number {
  return firstSeq;
}
