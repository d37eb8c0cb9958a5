import type { Clock } from '@signalbox/acp';
import { ClientError, isClientError } from '../client-error.ts';
import { Listeners } from '../listeners.ts';
import { backoffMs, type BackoffLimits } from './backoff.ts';
import type { ConnectionState } from './connection-state.ts';
import { abortError } from './deadline.ts';
import type { Door } from './door.ts';
import type { AfterFailure, DoorChoice } from './door-choice.ts';
import type { Link } from './link.ts';
import { judgeFailure } from './verdict.ts';

/** How a connection is kept up, in ms. */
export interface ReconnectLimits extends BackoffLimits {
  /** A connection that lasted this long was a good one: waits begin anew. Default 10,000. */
  readonly stableMs: number;
  /** Waking up does not try again sooner than this after the last attempt began. Default 1,000. */
  readonly wakeGapMs: number;
  /** How long one of the lesser doors is used before a better one is tried again. Default 300,000. */
  readonly betterDoorMs: number;
  /** How long calls under way may go on over a door that was left for a better one. Default 30,000. */
  readonly retireMs: number;
}

export const DEFAULT_RECONNECT: ReconnectLimits = {
  firstMs: 500,
  maxMs: 30_000,
  stableMs: 10_000,
  wakeGapMs: 1_000,
  betterDoorMs: 300_000,
  retireMs: 30_000,
};

/** What a {@link Connection} works with. */
export interface ConnectionParts {
  readonly doors: DoorChoice;
  /** Makes one attempt. */
  readonly dial: (door: Door, signal: AbortSignal) => Promise<Link>;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly limits: ReconnectLimits;
  readonly log: (line: string) => void;
}

/**
 * A connection that comes back by itself, for as long as that may help. There is never more than one
 * attempt at a time.
 */
export class Connection {
  readonly #parts: ConnectionParts;
  readonly #listeners: Listeners<ConnectionState>;
  #state: ConnectionState;
  #link: Link | undefined;
  /** Connections that were left for a better one, and still have calls under way. */
  readonly #retired = new Set<Link>();
  /** The attempt under way. */
  #attempt: AbortController | undefined;
  #attemptCount = 0;
  /** As `Clock.elapsed` says it; before the first attempt none has been too close. */
  #attemptBeganAt = -Infinity;
  /** When the next one begins, while it waits; as `Clock.elapsed` says it. */
  #nextAttemptAt = 0;
  #stopTimer: () => void = () => undefined;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#listeners = new Listeners((error) => {
      parts.log(`a listener of the connection's state failed: ${String(error)}`);
    });
    this.#state = { kind: 'connecting', attempt: 1, door: parts.doors.current.kind };
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The live connection; undefined while there is none. */
  get link(): Link | undefined {
    return this.#link?.isOver === true ? undefined : this.#link;
  }

  /** Hears of every change of the state. @returns a function that ends that. */
  subscribe(listen: (state: ConnectionState) => void): () => void {
    return this.#listeners.add(listen);
  }

  /** Begins. */
  start(): void {
    this.#connect();
  }

  /** Something says that the network is back, or was away: looks at once instead of at some time. */
  wake(): void {
    if (this.#state.kind === 'online') this.#link?.check();
    this.hurry();
  }

  /** Somebody wants the connection: does not wait longer for the next attempt than is needed. */
  hurry(): void {
    if (this.#state.kind !== 'waiting') return;
    const { clock, limits } = this.#parts;
    const gapMs = this.#attemptBeganAt + limits.wakeGapMs - clock.elapsed();
    if (clock.elapsed() + gapMs >= this.#nextAttemptAt) return;
    if (gapMs <= 0) this.#connect();
    else this.#waitFor(gapMs, this.#state.reason);
  }

  /**
   * Resolves with a live connection.
   *
   * @throws ClientError why there will be none, or what aborted the wait.
   */
  whenOnline(signal: AbortSignal): Promise<Link> {
    const { link } = this;
    if (link !== undefined) return Promise.resolve(link);
    if (signal.aborted) return Promise.reject(abortError(signal, 'waiting for the connection'));
    return new Promise((resolve, reject) => {
      const done = (): void => {
        unsubscribe();
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        done();
        reject(this.#whyOffline(signal));
      };
      const look = (): void => {
        const over = this.#over();
        if (this.link === undefined && over === undefined) return;
        done();
        if (this.link !== undefined) resolve(this.link);
        else if (over !== undefined) reject(over);
      };
      const unsubscribe = this.subscribe(look);
      signal.addEventListener('abort', onAbort, { once: true });
      look();
    });
  }

  /** Ends the connection, and what is under way to make one. */
  async close(): Promise<void> {
    if (this.#state.kind === 'closed') return;
    const links = [...this.#retired, ...(this.#link === undefined ? [] : [this.#link])];
    this.#stopTimer();
    this.#attempt?.abort(new ClientError('closed', 'the client was closed'));
    this.#attempt = undefined;
    this.#link = undefined;
    this.#enter({ kind: 'closed' });
    await Promise.all(links.map((link) => link.close()));
  }

  #connect(): void {
    const { doors, clock } = this.#parts;
    this.#stopTimer();
    const door = doors.current;
    this.#attemptCount++;
    this.#attemptBeganAt = clock.elapsed();
    this.#enter({ kind: 'connecting', attempt: this.#attemptCount, door: door.kind });
    // A listener may have closed the connection.
    if (this.#state.kind !== 'connecting') return;
    this.#dial(
      door,
      (link) => this.#onConnected(link, door),
      (error) => this.#onFailed(error, door),
    );
  }

  #dial(door: Door, onLink: (link: Link) => void, onFailed: (error: unknown) => void): void {
    const attempt = new AbortController();
    this.#attempt = attempt;
    this.#parts.dial(door, attempt.signal).then(
      (link) => {
        if (this.#attempt !== attempt) {
          // Nobody waits for it any more.
          void link.close();
          return;
        }
        this.#attempt = undefined;
        onLink(link);
      },
      (error: unknown) => {
        if (this.#attempt !== attempt) return;
        this.#attempt = undefined;
        onFailed(error);
      },
    );
  }

  #onConnected(link: Link, door: Door): void {
    const { doors, clock } = this.#parts;
    doors.worked(door);
    this.#link = link;
    const onlineAt = clock.elapsed();
    this.#enter({ kind: 'online', door: door.kind, since: clock.now() });
    link.watch((reason) => this.#onLost(link, door, onlineAt, reason));
    if (!link.isOver) this.#lookForBetterDoor(door);
  }

  #onLost(link: Link, door: Door, onlineAt: number, reason: Error | undefined): void {
    if (this.#link !== link) return;
    const { clock, limits, doors } = this.#parts;
    this.#link = undefined;
    this.#attempt?.abort();
    this.#attempt = undefined;
    const hasLasted = clock.elapsed() - onlineAt >= limits.stableMs;
    if (hasLasted) this.#attemptCount = 0;
    doors.ended(door, hasLasted);
    const why = reason ?? new ClientError('unreachable', 'the server closed the connection');
    this.#wait(why, door);
  }

  #onFailed(cause: unknown, door: Door): void {
    const verdict = judgeFailure(cause, door.kind);
    if (verdict.kind === 'permanent') {
      this.#fail(verdict.error);
      return;
    }
    const { doors } = this.#parts;
    const next: AfterFailure =
      verdict.kind === 'refused' ? doors.refused(door) : doors.failed(door);
    if (next === 'next') this.#connect();
    else if (verdict.kind === 'refused' && next === 'give_up') this.#fail(verdict.error);
    else this.#wait(verdict.error, door, 'retryAfterMs' in verdict ? verdict.retryAfterMs : 0);
  }

  #fail(error: ClientError): void {
    this.#parts.log(`the connection is given up: ${error.message}`);
    this.#stopTimer();
    this.#enter({ kind: 'failed', error });
  }

  #wait(reason: Error, door: Door, delayMsMin = 0): void {
    const { random, limits, log } = this.#parts;
    const delayMs = Math.max(delayMsMin, backoffMs(this.#attemptCount + 1, random(), limits));
    log(`no ${door.kind} connection (${reason.message}); next attempt in ${delayMs} ms`);
    this.#waitFor(delayMs, reason);
  }

  #waitFor(delayMs: number, reason: Error): void {
    const { clock } = this.#parts;
    this.#stopTimer();
    this.#stopTimer = clock.setTimer(delayMs, () => this.#connect());
    this.#nextAttemptAt = clock.elapsed() + delayMs;
    const retryAt = clock.now() + delayMs;
    this.#enter({ kind: 'waiting', attempt: this.#attemptCount + 1, retryAt, reason });
  }

  /** Sees now and then whether a better door opens by now, while the present one goes on working. */
  #lookForBetterDoor(present: Door): void {
    const { clock, limits, doors } = this.#parts;
    const better = doors.betterThan(present);
    this.#stopTimer();
    if (better.length === 0) return;
    this.#stopTimer = clock.setTimer(limits.betterDoorMs, () =>
      this.#tryBetterDoor(better, present),
    );
  }

  #tryBetterDoor([door, ...others]: readonly Door[], present: Door): void {
    if (door === undefined) {
      this.#lookForBetterDoor(present);
      return;
    }
    this.#dial(
      door,
      (link) => {
        const left = this.#link;
        this.#onConnected(link, door);
        if (left !== undefined) this.#retire(left);
      },
      () => this.#tryBetterDoor(others, present),
    );
  }

  #retire(link: Link): void {
    const { clock, limits } = this.#parts;
    this.#retired.add(link);
    void link.retire(clock, limits.retireMs).then(() => this.#retired.delete(link));
  }

  #enter(state: ConnectionState): void {
    if (this.#state.kind === 'closed') return;
    this.#state = state;
    this.#listeners.emit(state);
  }

  /** Why there will never be a connection again; undefined while there may be one. */
  #over(): ClientError | undefined {
    if (this.#state.kind === 'failed') return this.#state.error;
    if (this.#state.kind !== 'closed') return undefined;
    return new ClientError('closed', 'the client was closed');
  }

  /** What to tell a caller who has stopped waiting: more than that, when the reason is known. */
  #whyOffline(signal: AbortSignal): Error {
    const error = abortError(signal, 'waiting for the connection');
    if (this.#state.kind !== 'waiting' || !isClientError(error, 'timeout')) return error;
    const message = `the server cannot be reached: ${this.#state.reason.message}`;
    return new ClientError('timeout', message, { cause: error });
  }
}
