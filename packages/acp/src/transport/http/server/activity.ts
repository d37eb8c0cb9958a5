import type { Clock } from '../../../clock/clock.ts';

/** Knows since when nobody has used a connection, and tells when that has been too long (B138). */
export class Activity {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #count = 0;
  #graceUntil = 0;
  #cancel: (() => void) | undefined;
  #isEnded = false;

  constructor(clock: Clock, idleMs: number, onIdle: () => void) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
  }

  /**
   * A request or a stream begins.
   *
   * @returns to be called once at its end; the connection counts as used for `graceMs` more.
   */
  begin(): (graceMs?: number) => void {
    this.#count++;
    this.#cancel?.();
    this.#cancel = undefined;
    let isOver = false;
    return (graceMs = 0) => {
      if (isOver) return;
      isOver = true;
      this.#count--;
      this.#graceUntil = Math.max(this.#graceUntil, this.#clock.elapsed() + graceMs);
      if (this.#count === 0) this.#wait();
    };
  }

  /** Nothing is told any more. */
  end(): void {
    this.#isEnded = true;
    this.#cancel?.();
  }

  #wait(): void {
    if (this.#isEnded) return;
    const graceMs = Math.max(this.#graceUntil - this.#clock.elapsed(), 0);
    this.#cancel = this.#clock.setTimer(graceMs + this.#idleMs, this.#onIdle);
  }
}
