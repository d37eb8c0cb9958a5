import type { Batch, LogItem } from './batch.ts';

/** How much may wait for a slow reader of events. */
export interface EventBufferLimits {
  /** Events. Default 1,000. */
  readonly countMax: number;
  /** The length of their JSON text together, in UTF-16 code units. Default 8 Mi. */
  readonly lengthMax: number;
}

export const DEFAULT_EVENT_BUFFER: EventBufferLimits = {
  countMax: 1_000,
  lengthMax: 8 * 1024 * 1024,
};

/** What there is for a reader. */
export type Taken =
  | { readonly kind: 'item'; readonly item: LogItem }
  /** Nothing more comes to this buffer. Undefined: in order. */
  | { readonly kind: 'end'; readonly error: Error | undefined }
  /** What came behind the items was left out; it can be had from `cursor` on. */
  | { readonly kind: 'overflow'; readonly cursor: string };

type Over = Exclude<Taken, { readonly kind: 'item' }>;

/**
 * Events between a connection that brings them and a reader that takes them. It takes batches whole, so
 * it may hold one batch more than its limits say.
 */
export class EventBuffer {
  readonly #limits: EventBufferLimits;
  readonly #onTaken: () => void;
  #items: LogItem[] = [];
  #taken = 0;
  #length = 0;
  #over: Over | undefined;
  #wake: (() => void) | undefined;

  /** @param onTaken called when the reader has taken something. */
  constructor(limits: EventBufferLimits, onTaken: () => void = () => undefined) {
    this.#limits = limits;
    this.#onTaken = onTaken;
  }

  get isFull(): boolean {
    const { countMax, lengthMax } = this.#limits;
    return this.#count >= countMax || this.#length >= lengthMax;
  }

  /** Whether nothing more is taken in. */
  get isOver(): boolean {
    return this.#over !== undefined;
  }

  /** Whether the reader has taken at least half of what may wait. */
  get hasRoom(): boolean {
    const { countMax, lengthMax } = this.#limits;
    return this.#count <= countMax / 2 && this.#length <= lengthMax / 2;
  }

  /** Adds events. @param cursor the place before them, where to go on when there is no room. */
  push(items: readonly LogItem[], cursor: Batch['cursor'] | undefined): void {
    if (this.#over !== undefined) return;
    if (this.isFull && cursor !== undefined) {
      this.#over = { kind: 'overflow', cursor };
    } else {
      for (const item of items) {
        this.#items.push(item);
        this.#length += item.length;
      }
    }
    this.#wake?.();
  }

  /** Nothing more comes. What is here is still taken. */
  end(error?: Error): void {
    this.#over ??= { kind: 'end', error };
    this.#wake?.();
  }

  /** Waits for the next there is. */
  async next(signal: AbortSignal | undefined): Promise<Taken> {
    for (;;) {
      if (signal?.aborted === true) return { kind: 'end', error: undefined };
      const item = this.#items[this.#taken];
      if (item !== undefined) {
        this.#take(item);
        return { kind: 'item', item };
      }
      if (this.#over !== undefined) return this.#over;
      await this.#wait(signal);
    }
  }

  get #count(): number {
    return this.#items.length - this.#taken;
  }

  #take(item: LogItem): void {
    this.#taken++;
    this.#length -= item.length;
    // What was taken is dropped now and then, since dropping it one by one would move all the others.
    if (this.#taken * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    this.#onTaken();
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        signal?.removeEventListener('abort', done);
        this.#wake = undefined;
        resolve();
      };
      this.#wake = done;
      signal?.addEventListener('abort', done, { once: true });
    });
  }
}
