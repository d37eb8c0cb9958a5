import type { StoredEvent } from '@signalbox/core';

/** A client that follows one session, and comes back by itself whenever its connection breaks. */
export interface Reader {
  /** What it was told, in the order in which it was. */
  readonly told: readonly string[];
  /** What it has to be told when the log holds this. */
  expected(log: readonly StoredEvent[]): string[];
  /** Resolves when it was told something since the last call. */
  whenTold(): Promise<void>;
  /** Sends a prompt; resolves when it knows that its turn has ended. */
  prompt(text: string): Promise<void>;
  /** Anything else that has to be right at the end. */
  check(log: readonly StoredEvent[]): void;
  close(): Promise<void>;
}
