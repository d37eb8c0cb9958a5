import type { Clock } from './clock.ts';

/** A clock that stands still until a test moves it. */
export class SimulatedClock implements Clock {
  /** What is measured; the time of day is that and what the clock was set by. */
  #elapsed: number;
  #setMs = 0;
  /** By what is measured. */
  readonly #timers = new Set<{ readonly at: number; readonly onDue: () => void }>();

  constructor(now = 1_700_000_000_000) {
    this.#elapsed = now;
  }

  /** Timers that are set. */
  get timerCount(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#elapsed + this.#setMs;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  setTimer(delayMs: number, onDue: () => void): () => void {
    const timer = { at: this.#elapsed + delayMs, onDue };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Sets the time of day forward, or back by a negative number of ms. No time passes. */
  set(byMs: number): void {
    this.#setMs += byMs;
  }

  /** Moves time on; timers that come due run in the order of their times. */
  advance(ms: number): void {
    const target = this.#elapsed + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= target).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#elapsed = Math.max(this.#elapsed, due.at);
      due.onDue();
    }
    this.#elapsed = target;
  }
}
