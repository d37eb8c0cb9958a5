import type { Clock } from '../../../clock/clock.ts';
import { pause } from '../../../clock/pause.ts';

/** What a {@link BackOff} is made of. */
export interface BackOffOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: {
    readonly triesMax: number;
    readonly backOffMinMs: number;
    readonly backOffMaxMs: number;
  };
}

/** Counts failures in a row, and waits longer after each: anything from nothing to a bound that doubles. */
export class BackOff {
  readonly #options: BackOffOptions;
  #failures = 0;

  constructor(options: BackOffOptions) {
    this.#options = options;
  }

  /** Something has worked. */
  reset(): void {
    this.#failures = 0;
  }

  /**
   * Something has failed.
   *
   * @returns whether it may be tried again.
   */
  fail(): boolean {
    this.#failures++;
    return this.#failures < this.#options.limits.triesMax;
  }

  /**
   * Resolves when it is time for the next try, or the signal is aborted.
   *
   * @param atLeastMs what the server asked for; more than the longest pause is not granted.
   */
  wait(signal: AbortSignal, atLeastMs = 0): Promise<void> {
    const { clock, random, limits } = this.#options;
    const bound = Math.min(limits.backOffMinMs * 2 ** (this.#failures - 1), limits.backOffMaxMs);
    const ms = Math.max(random() * bound, Math.min(atLeastMs, limits.backOffMaxMs));
    return pause(clock, ms, signal);
  }
}
