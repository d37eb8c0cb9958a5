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
  /** Nothing is sent, for example while history is replayed. Left by `start` and `end`. */
  | { readonly kind: 'paused' }
  /** Follows the log. Left by `stop`, by `end`, and when the session is closed. */
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

  get isOver(): boolean {
    return this.#state.kind === 'over';
  }

  /** Sends what is in the log after `afterSeq`, and then what comes. */
  start(afterSeq: number): void {
    if (this.#state.kind !== 'paused') return;
    this.#seq = afterSeq;
    const abort = new AbortController();
    this.#state = { kind: 'running', abort, done: this.#run(abort.signal) };
  }

  /** Sends nothing until the next start; resolves when that is so. */
  async stop(): Promise<void> {
    if (this.#state.kind !== 'running') return;
    const { abort, done } = this.#state;
    abort.abort();
    await done;
    if (!this.isOver) this.#state = { kind: 'paused' };
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
    if (this.#waiting.length === 0) return;
    const passed = this.#waiting.filter((waiting) => waiting.seq <= seq);
    this.#waiting = this.#waiting.filter((waiting) => waiting.seq > seq);
    for (const { resolve } of passed) resolve();
  }
}
