import type { CursorPlace } from '@signalbox/core';
import type { Session } from '../session/session.ts';
import type { SessionView, ViewEnd } from './session-view.ts';

/** What a {@link SessionFeed} does. */
export interface FeedParts {
  readonly session: Session;
  readonly view: Pick<SessionView, 'deliver'>;
  /** The log cannot be read, or an event not be sent; the feed is over. */
  readonly onFailed: (error: unknown) => void;
}

/** Where a feed stands. */
type State =
  /** Nothing is sent, for example while history is replayed. Left by `start`, `release` and `end`. */
  | { readonly kind: 'paused' }
  /** Follows the log. Left by `stop`, `hold`, `end`, and when the session is closed. */
  | { readonly kind: 'running'; readonly abort: AbortController; readonly done: Promise<void> }
  /** Nothing more will be sent. */
  | { readonly kind: 'over' };

/**
 * One client's place in one session's log: a cursor and nothing more. It waits for a slow client before
 * it reads on, and nobody else waits for that.
 */
export class SessionFeed {
  readonly #parts: FeedParts;
  #state: State = { kind: 'paused' };
  #seq = 0;
  /** Where the client has opened the session; undefined while it is opening it. */
  #begin: CursorPlace | undefined;
  /** How far it has been told since. */
  #reachedSeq = 0;
  /** Whether the client's stream is lost: until it is back nothing is sent. */
  #isHeld = false;
  #waiting: { readonly seq: number; readonly resolve: () => void }[] = [];
  #over!: (reason: ViewEnd) => void;
  /** Resolves, never rejects, when nothing more will be sent. */
  readonly ended: Promise<ViewEnd> = new Promise((resolve) => (this.#over = resolve));

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** The last event that was delivered, or skipped. */
  get seq(): number {
    return this.#seq;
  }

  /** Where the client has opened the session; undefined while it is opening it. */
  get begin(): CursorPlace | undefined {
    return this.#begin;
  }

  get isOver(): boolean {
    return this.#state.kind === 'over';
  }

  /** The session is open: sends what is in the log behind a place, and then what comes. */
  start(afterSeq: number, part = 0): void {
    if (this.#state.kind !== 'paused') return;
    this.#begin = { seq: afterSeq, part };
    this.#reachedSeq = afterSeq;
    this.#seq = afterSeq;
    if (!this.#isHeld) this.#follow(afterSeq);
  }

  /** The client opens the session once more: sends nothing until the next start. Resolves when that is so. */
  async stop(): Promise<void> {
    this.#begin = undefined;
    await this.#pause();
  }

  /** The client's stream is lost: sends nothing until {@link release}. Resolves when that is so. */
  async hold(): Promise<void> {
    this.#isHeld = true;
    await this.#pause();
  }

  /**
   * Where to go on when the client comes back with a place. One that it has from before it opened the
   * session says nothing of what it has been told since.
   *
   * @returns undefined while the client is opening the session, which goes on from where it opens it.
   */
  placeBehind(place: CursorPlace): CursorPlace | undefined {
    const begin = this.#begin;
    if (begin === undefined) return undefined;
    const isOfThisOpening = isBehind(place, begin) && place.seq <= this.#reachedSeq;
    return isOfThisOpening ? place : begin;
  }

  /**
   * The client's stream is back: goes on.
   *
   * @param at from where, if the session was not opened once more since `begin` was looked at.
   */
  release(begin?: CursorPlace, at?: CursorPlace): void {
    this.#isHeld = false;
    if (this.#state.kind !== 'paused' || this.#begin === undefined) return;
    const { seq } = this.#begin === begin && at !== undefined ? at : this.#begin;
    this.#follow(seq);
  }

  /** Sends nothing ever again. */
  end(reason: ViewEnd = 'left'): void {
    if (this.#state.kind === 'running') this.#state.abort.abort();
    this.#state = { kind: 'over' };
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    this.#over(reason);
  }

  /** Resolves when everything up to `seq` has been handed to the client, or nothing more will be. */
  whenPassed(seq: number): Promise<void> {
    if (this.#seq >= seq || this.isOver) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ seq, resolve }));
  }

  #follow(afterSeq: number): void {
    // Whoever waits for what the client has already need not wait for what comes.
    this.#pass(afterSeq);
    const abort = new AbortController();
    this.#state = { kind: 'running', abort, done: this.#run(abort.signal) };
  }

  async #pause(): Promise<void> {
    const running = this.#state;
    if (running.kind !== 'running') return;
    running.abort.abort();
    await running.done;
    if (this.#state === running) this.#state = { kind: 'paused' };
  }

  async #run(signal: AbortSignal): Promise<void> {
    // The owner sees the feed as running first.
    await Promise.resolve();
    const { session, view, onFailed } = this.#parts;
    const pass = (seq: number): void => this.#pass(seq);
    try {
      for await (const entries of session.follow(this.#seq, signal)) {
        if (signal.aborted) return;
        const room = view.deliver(entries, pass, signal);
        if (room !== undefined) await room;
      }
    } catch (error) {
      if (signal.aborted) return;
      onFailed(error);
      this.end('failed');
    }
    if (!signal.aborted) this.end(session.hasFailed ? 'failed' : 'closed');
  }

  #pass(seq: number): void {
    this.#seq = seq;
    this.#reachedSeq = Math.max(this.#reachedSeq, seq);
    if (this.#waiting.length === 0) return;
    const passed = this.#waiting.filter((waiting) => waiting.seq <= seq);
    this.#waiting = this.#waiting.filter((waiting) => waiting.seq > seq);
    for (const { resolve } of passed) resolve();
  }
}

function isBehind(place: CursorPlace, other: CursorPlace): boolean {
  return place.seq > other.seq || (place.seq === other.seq && place.part > other.part);
}
