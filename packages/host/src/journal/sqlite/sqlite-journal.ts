import { resolve as resolvePath } from 'node:path';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { CoreError } from '@signalbox/core';
import type {
  AppendPosition,
  Head,
  Journal,
  JournalEntry,
  Records,
  Snapshot,
  StoredEntry,
  StreamId,
} from '@signalbox/core';
import { assertWellFormed, toCommitRows } from './commit-rows.ts';
import { openJournalFile } from './open-journal-file.ts';
import type { Operation } from './operations.ts';
import { createReader } from './reader.ts';
import type { JournalReader } from './reader.ts';
import { createSqliteRecords } from './sqlite-records.ts';
import { StreamWatchers } from './stream-watchers.ts';
import { translateError } from './to-core-error.ts';
import { startWriter } from './writer-client.ts';
import type { WriterClient } from './writer-client.ts';

/** How long pages may be read in a row before others are let in, in ms. Doing so for each page would slow live readers. */
const READING_MS = 10;

/** Where and how a SQLite journal keeps its data. */
export interface SqliteJournalOptions {
  /** The database file. It and its folder are made if missing, for this user alone. */
  readonly file: string;
  /**
   * What an acknowledged append survives: `power`, the default, also a power cut; `process` only the
   * death of processes, and waits for the disk less often.
   */
  readonly durability?: 'power' | 'process';
  /** The size the file may grow to. Writes beyond it fail as on a full disk. Unbounded by default. */
  readonly sizeBytesMax?: number;
}

/**
 * Opens a journal in a SQLite file. Several processes may have the same file open.
 *
 * @throws CoreError `journal_corrupt` when the file is no journal, `journal_unsupported` when it is a
 * newer version's or another program's, and
 * `journal_write_failed` when it cannot be made or opened.
 */
export async function openSqliteJournal(options: SqliteJournalOptions): Promise<Journal> {
  const { durability = 'power', sizeBytesMax } = options;
  const file = resolvePath(options.file);
  // The thread starts up while this one opens the file; it touches the file only when it writes.
  const writer = startWriter({ file, durability, sizeBytesMax });
  try {
    return new SqliteJournal(file, createReader(await openJournalFile(file)), writer);
  } catch (error) {
    await writer.close();
    throw translateError(error, 'open the journal', file);
  }
}

class SqliteJournal implements Journal {
  readonly records: Records;
  readonly #file: string;
  readonly #reader: JournalReader;
  readonly #writer: WriterClient;
  readonly #watchers: StreamWatchers;
  /** When a reader last let others in, as `performance.now` says it. */
  #letInAt = -Infinity;
  #closed: Promise<void> | undefined;

  constructor(file: string, reader: JournalReader, writer: WriterClient) {
    this.#file = file;
    this.#reader = reader;
    this.#writer = writer;
    this.#watchers = new StreamWatchers(reader);
    this.records = createSqliteRecords({
      ask: (question) => this.#ask(question),
      write: (toOperation) => this.#write(toOperation),
    });
  }

  async append(
    stream: StreamId,
    { generation, expectedSeq }: AppendPosition,
    entries: readonly JournalEntry[],
  ): Promise<number> {
    const headSeq = await this.#write(() => {
      assertWellFormed('a stream id', stream);
      return { kind: 'append', stream, generation, expectedSeq, rows: toCommitRows(entries) };
    });
    if (entries.length > 0) this.#watchers.moved(stream, headSeq);
    return headSeq;
  }

  async read(stream: StreamId, afterSeq: number, limit: number): Promise<StoredEntry[]> {
    const entries = await this.#ask((reader) => reader.read(stream, afterSeq, limit));
    // SQLite answers at once: whoever reads a long log page by page would let nobody else in before its end.
    if (entries.length >= limit && performance.now() - this.#letInAt >= READING_MS) {
      await nextLoop();
      this.#letInAt = performance.now();
    }
    return entries;
  }

  head(stream: StreamId): Promise<Head> {
    return this.#ask((reader) => reader.head(stream));
  }

  snapshot(stream: StreamId): Promise<Snapshot | undefined> {
    return this.#ask((reader) => reader.snapshot(stream));
  }

  async putSnapshot(stream: StreamId, { seq, format, state }: Snapshot): Promise<void> {
    await this.#write(() => {
      assertWellFormed('a snapshot', state);
      return { kind: 'put_snapshot', stream, seq, format, state };
    });
  }

  watch(stream: StreamId, onMoved: (headSeq: number) => void): () => void {
    this.#assertOpen();
    try {
      return this.#watchers.watch(stream, onMoved);
    } catch (error) {
      throw translateError(error, 'watch a stream', this.#file);
    }
  }

  streams({ after, limit }: { after?: StreamId; limit?: number } = {}): Promise<StreamId[]> {
    return this.#ask((reader) => reader.streams(after, limit));
  }

  async delete(stream: StreamId): Promise<void> {
    await this.#write(() => ({ kind: 'delete_stream', stream }));
    this.#watchers.deleted(stream);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    // The reader first: the last connection to a file moves the WAL into it, which belongs into the
    // writer's thread.
    this.#watchers.close();
    this.#reader.close();
    await this.#writer.close();
  }

  /** Reads are short and bounded, so they run on this thread. */
  #ask<T>(question: (reader: JournalReader) => T): Promise<T> {
    return new Promise((resolve) => {
      this.#assertOpen();
      try {
        resolve(question(this.#reader));
      } catch (error) {
        throw translateError(error, 'read', this.#file);
      }
    });
  }

  /** Async, so that what is thrown here rejects; the operation is queued before it returns. */
  async #write(toOperation: () => Operation): Promise<number> {
    this.#assertOpen();
    return this.#writer.submit(toOperation());
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) {
      throw new CoreError('journal_closed', `the journal ${this.#file} is closed`);
    }
  }
}
