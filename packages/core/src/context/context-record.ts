import type { EventOf } from '../session/event.ts';
import { boundTranscript } from '../transcript/bound-transcript.ts';
import { createTranscript, foldTranscript } from '../transcript/fold.ts';
import type { StoredEvent } from '../transcript/stored-event.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { ContextFile } from './context-snapshot.ts';

/** All that a context snapshot is taken from. */
export interface ContextRecord {
  readonly sessionId: string;
  readonly agent: string;
  readonly cwd: string;
  readonly transcript: Transcript;
  /** The files that the agent accessed through its client, by path, the last access last. */
  readonly files: ReadonlyMap<string, ContextFile>;
}

/** All entries, with so much of each text as no snapshot has room for. */
const TEXTS_ONLY = {
  entriesMax: Number.MAX_SAFE_INTEGER,
  bytesMax: Number.MAX_SAFE_INTEGER,
  textBytesMax: 1024 * 1024,
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface Draft extends Writable<ContextRecord> {
  readonly files: Map<string, ContextFile>;
}

/** The record of a session in which nothing has happened yet. */
export function createContextRecord(): ContextRecord {
  return { sessionId: '', agent: '', cwd: '', transcript: createTranscript(), files: new Map() };
}

/** Folds the next event of the log into a record, in place, as `foldTranscript` does. */
export function foldContextRecord(record: ContextRecord, stored: StoredEvent): void {
  const { seq, event } = stored;
  if (seq <= record.transcript.lastSeq) return;
  foldTranscript(record.transcript, stored);
  const draft = record as Draft;
  if (event.type === 'session.created') {
    const { sessionId, agent, cwd } = event.data;
    Object.assign(draft, { sessionId, agent, cwd });
  }
  if (event.type === 'file.accessed') noteFile(draft.files, event);
}

/**
 * Leaves the beginnings of very long texts out of a record, in place; a snapshot says so. Takes time in proportion to
 * the record.
 */
export function shortenContextRecord(record: ContextRecord): void {
  const draft = record as Draft;
  draft.transcript = boundTranscript(record.transcript, TEXTS_ONLY);
}

/** The record of a whole log. */
export function toContextRecord(events: Iterable<StoredEvent>): ContextRecord {
  const record = createContextRecord();
  for (const stored of events) foldContextRecord(record, stored);
  return record;
}

function noteFile(files: Draft['files'], { time, data }: EventOf<'file.accessed'>): void {
  const { path, kind } = data;
  const digest = data.digestAfter ?? data.digestBefore;
  const access = kind === 'read' ? 'read' : 'written';
  // Behind all others, because it is the last that was accessed.
  files.delete(path);
  files.set(path, { path, ...(digest === null ? {} : { digest }), access, at: time });
}
