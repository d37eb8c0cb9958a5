import type { SessionId, StoredEntry } from '@signalbox/core';
import type { Clock, Host } from '@signalbox/host';

/** Why a reader stopped waiting. */
export type Waking = 'moved' | 'quiet' | 'aborted';

/**
 * One reader's place in one session's log: a position and nothing more, so that a slow reader costs
 * nobody anything. It hears of every growth from its making on.
 */
export class LogReader {
  readonly #host: Host;
  readonly #sessionId: SessionId;
  readonly #stopWatching: () => void;
  #seq: number;
  #hasMoved = false;
  /** Where the last growth led that it has heard of. */
  #headSeq: number | undefined;
  #wake: (() => void) | undefined;

  constructor(host: Host, sessionId: SessionId, afterSeq: number) {
    this.#host = host;
    this.#sessionId = sessionId;
    this.#seq = afterSeq;
    this.#stopWatching = host.watchLog(sessionId, (headSeq) => {
      this.#headSeq = headSeq;
      this.#hasMoved = true;
      this.#wake?.();
    });
  }

  /** The event behind which the reader stands. */
  get seq(): number {
    return this.#seq;
  }

  /** Whether the log reaches as far as the reader stands; it does not when a copy was put back. */
  async isInLog(): Promise<boolean> {
    if (this.#seq === 0) return true;
    return (await this.#host.readLog(this.#sessionId, this.#seq - 1, 1)).length > 0;
  }

  /** The next events, at most `limit`; none at the end of the log. The reader moves behind them. */
  async read(limit: number): Promise<readonly StoredEntry[]> {
    // It has read all that it has heard of, and would have heard of more.
    if (this.#seq === this.#headSeq && !this.#hasMoved) return [];
    this.#hasMoved = false;
    const entries = await this.#host.readLog(this.#sessionId, this.#seq, limit);
    this.#seq = entries[entries.length - 1]?.seq ?? this.#seq;
    return entries;
  }

  /** Waits until the log may have grown since the last `read`, at most `waitMs`. */
  whenMoved(clock: Clock, waitMs: number, signal: AbortSignal): Promise<Waking> {
    if (signal.aborted) return Promise.resolve('aborted');
    if (this.#hasMoved) return Promise.resolve('moved');
    return new Promise((resolve) => {
      const finish = (waking: Waking): void => {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
        this.#wake = undefined;
        resolve(waking);
      };
      const onAbort = (): void => finish('aborted');
      const cancelTimer = clock.setTimer(waitMs, () => finish('quiet'));
      signal.addEventListener('abort', onAbort);
      this.#wake = () => finish('moved');
    });
  }

  /** Hears of nothing any more. */
  close(): void {
    this.#stopWatching();
  }
}
