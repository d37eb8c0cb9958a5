import type { StateAt } from './session-snapshot.ts';

/** A snapshot is due after so many events; after more of them when the last snapshot was long. */
export const SNAPSHOT_EVERY = 2000;
/** Characters of a snapshot for each event that is waited for, so that snapshots cost little beside the log. */
const LENGTH_PER_EVENT = 512;
/** How many times as long a running turn is waited for: writing takes time that whoever watches would notice. */
const PATIENCE = 4;
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
    return grown >= (state.turn.kind === 'idle' ? this.#every : this.#every * PATIENCE);
  }

  /** Whether it is worth to write one before the session is closed. */
  isWorthAtEnd({ seq }: StateAt): boolean {
    return seq - this.#seq >= SNAPSHOT_AT_END;
  }

  /** One is being written, or has been and is so many characters long. */
  written(seq: number, length = 0): void {
    this.#seq = seq;
    this.#every = Math.max(SNAPSHOT_EVERY, length / LENGTH_PER_EVENT);
  }
}
