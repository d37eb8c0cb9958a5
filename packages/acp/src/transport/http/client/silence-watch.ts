import type { TransportClock } from '../clock.ts';

/** Notices that nothing at all has come for too long, which a half-open socket tells nobody (B148). */
export class SilenceWatch {
  readonly #clock: TransportClock;
  readonly #silenceMs: number;
  readonly #onSilence: () => void;
  #seenAt: number;
  #cancel: () => void;
  #isPaused = false;

  constructor(clock: TransportClock, silenceMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#onSilence = onSilence;
    this.#seenAt = clock.now();
    this.#cancel = clock.setTimer(this.#seenAt + silenceMs, this.#onDue);
  }

  /** Something has come. */
  seen(): void {
    this.#seenAt = this.#clock.now();
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
    const due = this.#seenAt + this.#silenceMs;
    if (this.#clock.now() >= due) this.#onSilence();
    else this.#cancel = this.#clock.setTimer(due, this.#onDue);
  };
}
