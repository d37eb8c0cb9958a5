import type { JournalReader } from './reader.ts';

/** How often the file is asked whether another process has written, while anybody watches, in ms. */
export const WATCH_POLL_MS = 100;

interface Watched {
  /** The head that the watchers know. */
  heardSeq: number;
  readonly watches: Set<Watch>;
}

interface Watch {
  readonly onMoved: (headSeq: number) => void;
  /** The head to tell about in a call that is already scheduled. */
  due: number | undefined;
}

/**
 * Wakes who watches a stream: at once for this journal's own appends, by polling for those of other
 * processes. Calls come in a later microtask, and several moves may become one call.
 */
export class StreamWatchers {
  readonly #reader: Pick<JournalReader, 'head' | 'dataVersion'>;
  readonly #streams = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #dataVersion = 0;

  constructor(reader: Pick<JournalReader, 'head' | 'dataVersion'>) {
    this.#reader = reader;
  }

  /** Begins a watch: all growth from now on is told. @returns a function that ends it. */
  watch(stream: string, onMoved: (headSeq: number) => void): () => void {
    this.#startPolling();
    const watch: Watch = { onMoved, due: undefined };
    const watched = this.#streams.get(stream) ?? {
      heardSeq: this.#reader.head(stream).seq,
      watches: new Set(),
    };
    this.#streams.set(stream, watched);
    watched.watches.add(watch);
    return () => {
      watched.watches.delete(watch);
      watch.due = undefined;
      if (watched.watches.size > 0 || this.#streams.get(stream) !== watched) return;
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#stopPolling();
    };
  }

  /** An append of this journal moved the head. An older move than the one heard of says nothing. */
  moved(stream: string, headSeq: number): void {
    const watched = this.#streams.get(stream);
    if (watched !== undefined && headSeq > watched.heardSeq) tell(watched, headSeq);
  }

  /** This journal deleted the stream: it begins anew at 1. */
  deleted(stream: string): void {
    const watched = this.#streams.get(stream);
    if (watched !== undefined) watched.heardSeq = 0;
  }

  /** Ends every watch. */
  close(): void {
    this.#stopPolling();
    for (const { watches } of this.#streams.values())
      for (const one of watches) one.due = undefined;
    this.#streams.clear();
  }

  #startPolling(): void {
    if (this.#timer !== undefined) return;
    // Before any head is read: a commit in between then shows as a change.
    this.#dataVersion = this.#reader.dataVersion();
    this.#timer = setInterval(() => this.#poll(), WATCH_POLL_MS).unref();
  }

  #stopPolling(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    try {
      const version = this.#reader.dataVersion();
      if (version === this.#dataVersion) return;
      for (const [stream, watched] of this.#streams) {
        const { seq } = this.#reader.head(stream);
        if (seq === watched.heardSeq) continue;
        if (seq > 0) tell(watched, seq);
        else watched.heardSeq = 0;
      }
      this.#dataVersion = version;
    } catch {
      // Nobody waits for this poll. The next one tries again, and whoever reads gets the error.
    }
  }
}

function tell(watched: Watched, headSeq: number): void {
  watched.heardSeq = headSeq;
  for (const watch of watched.watches) {
    const isScheduled = watch.due !== undefined;
    watch.due = headSeq;
    if (!isScheduled) queueMicrotask(() => call(watch));
  }
}

function call(watch: Watch): void {
  const headSeq = watch.due;
  watch.due = undefined;
  // A watch that ended meanwhile hears nothing more.
  if (headSeq !== undefined) watch.onMoved(headSeq);
}
