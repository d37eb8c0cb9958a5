import type { Clock } from './clock.ts';

/** A clock that stands still until a test moves it. */
export class SimulatedClock implements Clock {
  #now: number;
  readonly #timers = new Set<{ readonly at: number; readonly onDue: () => void }>();

  constructor(now = 1_700_000_000_000) {
    this.#now = now;
  }

  /** Timers that are set. */
  get timerCount(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  setTimer(at: number, onDue: () => void): () => void {
    const timer = { at, onDue };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves time on; timers that come due run in the order of their times. */
  advance(ms: number): void {
    const target = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= target).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.onDue();
    }
    this.#now = target;
  }
}
