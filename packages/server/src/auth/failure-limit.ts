import type { Clock } from '@signalbox/host';

const WINDOW_MS = 60_000;
/** Addresses that are remembered; when there are more, the oldest is forgotten. */
const KEYS_MAX = 1000;

interface Window {
  readonly startedAt: number;
  readonly count: number;
}

/** Counts failures by address and minute, so that nobody can try without end. */
export class FailureLimit {
  readonly #max: number;
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(max: number, clock: Clock) {
    this.#max = max;
    this.#clock = clock;
  }

  /** How many seconds this address has to wait before it may try again; 0: none. */
  secondsToWait(key: string): number {
    const window = this.#window(key);
    if (window === undefined || window.count < this.#max) return 0;
    return Math.ceil((window.startedAt + WINDOW_MS - this.#clock.elapsed()) / 1000);
  }

  /** An attempt from this address has failed. */
  note(key: string): void {
    const window = this.#window(key) ?? { startedAt: this.#clock.elapsed(), count: 0 };
    this.#windows.delete(key);
    this.#windows.set(key, { ...window, count: window.count + 1 });
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > KEYS_MAX && oldest !== undefined) this.#windows.delete(oldest);
  }

  #window(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window !== undefined && this.#clock.elapsed() < window.startedAt + WINDOW_MS
      ? window
      : undefined;
  }
}
