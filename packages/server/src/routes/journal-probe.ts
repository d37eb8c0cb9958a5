import { isCoreError, type Records } from '@signalbox/core';
import type { Clock } from '@signalbox/host';

const KEY = 'server/probe';
/** How long an answer is good for, so that asking often costs nothing, in ms. */
const FRESH_MS = 5_000;
/** How long a probe may take before it counts as failed, in ms. */
const TIMEOUT_MS = 5_000;

/** Finds out whether the journal can be written, by writing something. */
export class JournalProbe {
  readonly #records: Records;
  readonly #clock: Clock;
  #last: { readonly at: number; readonly result: Promise<Error | undefined> } | undefined;

  constructor(records: Records, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** @returns why the journal cannot be written; undefined: it can. */
  check(): Promise<Error | undefined> {
    const at = this.#clock.elapsed();
    if (this.#last === undefined || at - this.#last.at >= FRESH_MS) {
      this.#last = { at, result: this.#probe() };
    }
    return this.#last.result;
  }

  #probe(): Promise<Error | undefined> {
    return new Promise((resolve) => {
      const cancel = this.#clock.setTimer(TIMEOUT_MS, () =>
        resolve(new Error(`the journal did not answer within ${TIMEOUT_MS} ms`)),
      );
      void this.#write(String(this.#clock.now()))
        .then(() => undefined, toError)
        .then((result) => {
          cancel();
          resolve(result);
        });
    });
  }

  async #write(value: string): Promise<void> {
    const record = await this.#records.get(KEY);
    try {
      if (record === undefined) await this.#records.create(KEY, value);
      else await this.#records.put(KEY, value, record.revision);
    } catch (error) {
      // Another server was quicker, which proves as much.
      if (!isCoreError(error, 'record_conflict')) throw error;
    }
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
