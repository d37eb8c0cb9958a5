import type { Door } from './door.ts';

/** Failures in a row after which a door that has never worked is given up for the next one. */
const FAILURES_MAX_NEW = 2;
/** The same for a door that has worked before: more likely the server is away than the door. */
const FAILURES_MAX_PROVEN = 6;
/** Connections in a row that did not last, after which a door is given up for the next one. */
const LOSSES_MAX = 3;

/** What to do after a door has failed. */
export type AfterFailure =
  /** Wait, then try the current door, which may be another one now. */
  | 'wait'
  /** The door will not open, but there is another one: try that at once. */
  | 'next'
  /** All doors refused: trying again would not help. */
  | 'give_up';

/** Which of the doors to try: the best that works, and the next one where that does not (B169). */
export class DoorChoice {
  readonly #doors: readonly Door[];
  readonly #proven = new Set<Door>();
  /** Doors that refused since any door did anything else. */
  readonly #refused = new Set<Door>();
  #index = 0;
  #failures = 0;
  #losses = 0;

  /** @param doors at least one, the best first. */
  constructor(doors: readonly Door[]) {
    this.#doors = doors;
  }

  /** The door to try now. @throws RangeError when there is none. */
  get current(): Door {
    const door = this.#doors[this.#index];
    if (door === undefined) throw new RangeError('a client needs at least one door');
    return door;
  }

  /** Doors that would be better than this one, the best first. */
  betterThan(door: Door): readonly Door[] {
    return this.#doors.slice(0, Math.max(0, this.#doors.indexOf(door)));
  }

  /** A connection came about; the door is remembered. */
  worked(door: Door): void {
    this.#index = this.#doors.indexOf(door);
    this.#proven.add(door);
    this.#failures = 0;
    this.#refused.clear();
  }

  /**
   * A connection by this door has ended. One that did not last may be the door's fault: something on the
   * way lets it be opened, and nothing stay open (B169).
   */
  ended(door: Door, hasLasted: boolean): void {
    if (door !== this.current) return;
    this.#losses = hasLasted ? 0 : this.#losses + 1;
    if (this.#losses >= LOSSES_MAX) this.#goOn();
  }

  /** The door could not be opened, for a reason that may pass. */
  failed(door: Door): AfterFailure {
    this.#refused.clear();
    // Several connections share the choice, and another one may have gone on already.
    if (door !== this.current) return 'wait';
    this.#failures++;
    const isProven = this.#proven.has(this.current);
    if (this.#failures >= (isProven ? FAILURES_MAX_PROVEN : FAILURES_MAX_NEW)) this.#goOn();
    return 'wait';
  }

  /** The server, or something before it, does not offer the door. */
  refused(door: Door): AfterFailure {
    this.#refused.add(door);
    if (this.#refused.size >= this.#doors.length) return 'give_up';
    if (door !== this.current) return 'wait';
    const isLast = this.#index === this.#doors.length - 1;
    this.#goOn();
    return isLast ? 'wait' : 'next';
  }

  #goOn(): void {
    this.#index = (this.#index + 1) % this.#doors.length;
    this.#failures = 0;
    this.#losses = 0;
  }
}
