import type { Clock } from '../../../clock/clock.ts';

/** Notices that nothing at all has come for too long, which a half-open socket tells nobody (B148). */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #silenceMs: number;
  readonly #onSilence: () => void;
  #seenAt: number;
  #cancel: () => void;
  #isPaused = false;

  constructor(clock: Clock, silenceMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#onSilence = onSilence;
    this.#seenAt = clock.elapsed();
    this.#cancel = clock.setTimer(silenceMs, this.#onDue);
  }

  /** Something has come. */
  seen(): void {
    this.#seenAt = this.#clock.elapsed();
  }

  /** Nothing is read until the promise resolves, so nothing can come. */
  async pauseFor(promise: Promise<void>): Promise<void> {
    this.#isPaused = true;
    await promise;
    this.#isPaused = false;
    this.seen();
  }

  end(): void {
    this.#cancel();
  }

  readonly #onDue = (): void => {
    if (this.#isPaused) this.seen();
    const leftMs = this.#seenAt + this.#silenceMs - this.#clock.elapsed();
    if (leftMs <= 0) this.#onSilence();
    else this.#cancel = this.#clock.setTimer(leftMs, this.#onDue);
  };
}
