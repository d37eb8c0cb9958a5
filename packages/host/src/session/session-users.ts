import type { Clock } from '@signalbox/acp';

/** Who has a session open. As long as nobody has, its agent may be ended when it does nothing. */
export class SessionUsers {
  readonly #clock: Clock;
  readonly #onLeft: () => void;
  #count = 0;
  #lastAt: number;

  /** @param onLeft called when the last of them has left. Must not throw. */
  constructor(clock: Clock, onLeft: () => void) {
    this.#clock = clock;
    this.#onLeft = onLeft;
    this.#lastAt = clock.elapsed();
  }

  /** How many have the session open. */
  get count(): number {
    return this.#count;
  }

  /** When somebody last had it open, as `Clock.elapsed` says it; while somebody has, now. */
  get lastAt(): number {
    return this.#count > 0 ? this.#clock.elapsed() : this.#lastAt;
  }

  /** Somebody has the session open. @returns to be called once, when that is over. */
  enter(): () => void {
    this.#count++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#count > 0) return;
      this.#lastAt = this.#clock.elapsed();
      this.#onLeft();
    };
  }
}
