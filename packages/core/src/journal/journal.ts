/** The name of one log, for a session its session id. */
export type StreamId = string;

/**
 * One event on its way into the log. `body` is the event's JSON text: the journal stores text and
 * never parses it, so what is somebody else's stays exactly as it was.
 */
export interface JournalEntry {
  /** JSON text of the event, without a line feed. At most {@link JOURNAL_ENTRY_BYTES_MAX} bytes. */
  readonly body: string;
}

/** One stored event. */
export interface StoredEntry extends JournalEntry {
  /** 1 for the first event of a stream, then without gaps. */
  readonly seq: number;
}

/** Where a stream ends. `seq` 0 and `generation` 0: nothing was ever appended. */
export interface Head {
  readonly seq: number;
  readonly generation: number;
}

/** A condition under which an append is accepted. */
export interface AppendPosition {
  /**
   * The owner's generation. Lower than the stream's: refused as `stale_generation`. Higher: accepted,
   * and from then on the stream's. A new owner takes head().generation + 1.
   */
  readonly generation: number;
  /** The head the writer knows; any other head is refused as `seq_conflict`. */
  readonly expectedSeq: number;
}

/** A folded state at a place in the log, kept so that attaching to a long log is cheap. */
export interface Snapshot {
  readonly seq: number;
  /** Says how `state` was made; a reader that does not know it ignores the snapshot. */
  readonly format: string;
  readonly state: string;
}

/** A keyed document beside the logs. */
export interface StoredRecord {
  readonly key: string;
  readonly value: string;
  /** Changes with each write; for compare-and-set. Never 0. */
  readonly revision: number;
}

/** Which part of a list, and in which order. `after` is meant in that order. */
export interface ListOptions {
  readonly after?: string;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** Keyed documents: leases, idempotency keys, lists that can be rebuilt from the logs. */
export interface Records {
  /** Stores a new record. @throws CoreError `record_conflict` when the key exists. */
  create(key: string, value: string): Promise<StoredRecord>;
  get(key: string): Promise<StoredRecord | undefined>;
  /**
   * Replaces a record if it still has this revision.
   * @throws CoreError `record_conflict` when it has another revision or does not exist.
   */
  put(key: string, value: string, revision: number): Promise<StoredRecord>;
  /** Deletes a record, whatever its revision unless one is given. Deleting nothing is no error. */
  delete(key: string, revision?: number): Promise<void>;
  /**
   * Records whose key begins with `prefix`, in key order; at most `limit`.
   *
   * @param options.after a key, behind which the list begins. @param options.reverse the last key first.
   */
  list(prefix: string, options?: ListOptions): Promise<StoredRecord[]>;
}

/**
 * Append-only logs. The only atomic things are one append to one stream and one compare-and-set on
 * one record, because that is what every engine can promise.
 */
export interface Journal {
  /**
   * Appends a batch, all or none, and resolves when it is durable. Appends from one process to one
   * stream may be issued without waiting; they take effect in the order of the calls.
   *
   * @returns the stream's new head sequence.
   * @throws CoreError `stale_generation`, `seq_conflict`, `journal_write_failed` or `journal_closed`.
   */
  append(stream: StreamId, at: AppendPosition, entries: readonly JournalEntry[]): Promise<number>;
  /** Events after `afterSeq` in order, at most `limit` (and at least one if there is one). */
  read(stream: StreamId, afterSeq: number, limit: number): Promise<StoredEntry[]>;
  head(stream: StreamId): Promise<Head>;
  /** The newest snapshot of a stream, or undefined. */
  snapshot(stream: StreamId): Promise<Snapshot | undefined>;
  /** Keeps a snapshot; an older one of the same stream may be dropped. */
  putSnapshot(stream: StreamId, snapshot: Snapshot): Promise<void>;
  /**
   * Calls `onMoved` with the new head whenever the stream grew, also when another process did it.
   * Calls may be merged; a reader reads from its own cursor. @returns a function that ends the watch.
   */
  watch(stream: StreamId, onMoved: (headSeq: number) => void): () => void;
  /** Ids of streams in id order, after `after`; at most `limit`. */
  streams(options?: { after?: StreamId; limit?: number }): Promise<StreamId[]>;
  /** Deletes a stream with its events and snapshots. Deleting nothing is no error. */
  delete(stream: StreamId): Promise<void>;
  readonly records: Records;
  /** Finishes the appends under way and frees everything. Later calls fail as `journal_closed`. */
  close(): Promise<void>;
}

/** The largest event body, in UTF-8 bytes. */
export const JOURNAL_ENTRY_BYTES_MAX = 96 * 1024 * 1024;
