import type { StateAt } from './session-snapshot.ts';

/** A snapshot is due after so many events; after more of them when the last snapshot was long. */
export const SNAPSHOT_EVERY = 2000;
/** Characters of a snapshot for each event that is waited for, so that snapshots cost little beside the log. */
const LENGTH_PER_EVENT = 128;
/** A running turn is waited for up to here: writing takes time that whoever watches it would notice. */
export const SNAPSHOT_EVERY_RUNNING = 8000;
/** How many events behind the last snapshot are worth another one when the session is closed. */
export const SNAPSHOT_AT_END = 200;

/** When the next snapshot of one session is to be written. */
export class SnapshotSchedule {
  /** Where the last snapshot stands. */
  #seq: number;
  #every = SNAPSHOT_EVERY;

  constructor(seq: number) {
    this.#seq = seq;
  }

  /** Whether a snapshot is to be written now. */
  isDue({ seq, state }: StateAt): boolean {
    const grown = seq - this.#seq;
    const isIdle = state.turn.kind === 'idle';
    return grown >= (isIdle ? this.#every : Math.max(this.#every, SNAPSHOT_EVERY_RUNNING));
  }

  /** Whether it is worth to write one before the session is closed. */
  isWorthAtEnd({ seq }: StateAt): boolean {
    return seq - this.#seq >= SNAPSHOT_AT_END;
  }

  /** One is being written, of the session up to here. */
  begun(seq: number): void {
    this.#seq = seq;
  }

  /** It has become so many characters long. */
  written(length: number): void {
    this.#every = Math.max(SNAPSHOT_EVERY, length / LENGTH_PER_EVENT);
  }
}
