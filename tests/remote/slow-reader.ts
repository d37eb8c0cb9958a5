import { encodeEvent, type StoredEvent } from '@signalbox/core';
import { expect } from 'vitest';
import type { RemoteSession } from '../../packages/client/src/index.ts';
import { Signal } from './signal.ts';

/** Reads the events of a session one by one, slower than they come, from where the session stands now. */
export class SlowReader {
  readonly #read: StoredEvent[] = [];
  readonly #firstSeq: number;
  readonly #abort = new AbortController();
  readonly #news = new Signal();
  readonly #reading: Promise<void>;

  constructor(session: RemoteSession) {
    this.#firstSeq = session.view.lastSeq + 1;
    this.#reading = this.#run(session);
    this.#reading.catch(() => this.#news.give());
  }

  /** The last event that it has read. */
  get seq(): number {
    return this.#firstSeq + this.#read.length - 1;
  }

  /** Resolves when it has read up to there, and rejects when it cannot. */
  async until(seq: number): Promise<void> {
    const isThere = (): boolean => this.seq >= seq;
    const failed = this.#reading.then(() => {
      if (!isThere()) throw new Error(`the reader ended behind event ${this.seq}`);
    });
    const arrived = async (): Promise<void> => {
      while (!isThere()) await this.#news.next();
    };
    await Promise.race([arrived(), failed]);
  }

  /** It has read every event once and in order. */
  check(log: readonly StoredEvent[]): void {
    const expected = log.slice(this.#firstSeq - 1);
    expect(this.#read.map(({ seq }) => seq)).toEqual(expected.map(({ seq }) => seq));
    expect(this.#read.map(toText)).toEqual(expected.map(toText));
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#reading;
  }

  async #run(session: RemoteSession): Promise<void> {
    for await (const { seq, event } of session.events({ signal: this.#abort.signal })) {
      this.#read.push({ seq, event });
      this.#news.give();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function toText({ event }: StoredEvent): string {
  return encodeEvent(event);
}
