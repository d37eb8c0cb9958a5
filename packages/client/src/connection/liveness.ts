import type { Clock } from '@signalbox/acp';
import { ClientError } from '../client-error.ts';

/** When a silent connection counts as dead, in ms. */
export interface LivenessLimits {
  /** Silence after which the server is asked for a sign of life. Default 30,000. */
  readonly quietMs: number;
  /** How long that sign may take. Default 10,000. */
  readonly answerMs: number;
  /** How long it may take when the client was woken, as after a sleep. Default 2,000. */
  readonly wakeAnswerMs: number;
  /**
   * How long one event stream over HTTP may bring nothing at all, not even the comment that the server sends
   * every 15 s; then it is opened again. Default 45,000.
   */
  readonly streamMs: number;
}

export const DEFAULT_LIVENESS: LivenessLimits = {
  quietMs: 30_000,
  answerMs: 10_000,
  wakeAnswerMs: 2_000,
  streamMs: 45_000,
};

/** What a {@link Liveness} works with. */
export interface LivenessParts {
  readonly clock: Clock;
  readonly limits: LivenessLimits;
  /** Asks the server for a sign of life: anything that it answers. */
  readonly ping: () => void;
  readonly onDead: (error: ClientError) => void;
}

/**
 * Finds out that a connection is dead of which nobody was told, as after a sleep or behind a tunnel that
 * has gone (B148). Anything that arrives is a sign of life.
 */
export class Liveness {
  readonly #parts: LivenessParts;
  /** As `Clock.elapsed` says it. */
  #heardAt: number;
  #stopQuiet: () => void = () => undefined;
  /** Set while a sign of life is waited for. */
  #asked: { readonly dueAt: number; readonly stop: () => void } | undefined;

  constructor(parts: LivenessParts) {
    this.#parts = parts;
    this.#heardAt = parts.clock.elapsed();
    this.#waitForQuiet(parts.limits.quietMs);
  }

  /** Something arrived. */
  heard(): void {
    this.#heardAt = this.#parts.clock.elapsed();
    this.#asked?.stop();
    this.#asked = undefined;
  }

  /** Finds out at once. */
  check(): void {
    this.#ask(this.#parts.limits.wakeAnswerMs);
  }

  stop(): void {
    this.#stopQuiet();
    this.#asked?.stop();
  }

  /** Looks at the silence when it may have lasted long enough, which is in `waitMs`. */
  #waitForQuiet(waitMs: number): void {
    const { clock, limits } = this.#parts;
    this.#stopQuiet = clock.setTimer(waitMs, () => {
      const leftMs = this.#heardAt + limits.quietMs - clock.elapsed();
      if (leftMs <= 0) this.#ask(limits.answerMs);
      this.#waitForQuiet(leftMs <= 0 ? limits.quietMs : leftMs);
    });
  }

  #ask(answerMs: number): void {
    const { clock, ping } = this.#parts;
    const dueAt = clock.elapsed() + answerMs;
    if (this.#asked !== undefined && this.#asked.dueAt <= dueAt) return;
    this.#asked?.stop();
    const stop = clock.setTimer(answerMs, () => this.#onNoAnswer(answerMs));
    this.#asked = { dueAt, stop };
    ping();
  }

  #onNoAnswer(answerMs: number): void {
    this.stop();
    const message = `the server has not answered for ${answerMs} ms; the connection is dead`;
    this.#parts.onDead(new ClientError('unreachable', message));
  }
}
