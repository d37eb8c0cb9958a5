import {
  createTranscript,
  decodeEvent,
  decodeTranscript,
  encodeTranscript,
  foldTranscript,
  type Journal,
  type SessionId,
  type Transcript,
} from '@signalbox/core';
import { KeyedQueue } from './keyed-queue.ts';

const PAGE_LENGTH = 2048;
/** Transcripts that stay in memory after they were asked for; the least recently used go first. */
const KEPT_MAX = 16;
/** A snapshot is written after so many events, or a tenth of the log if that is more. */
export const SNAPSHOT_EVERY = 2000;
/** A transcript whose JSON is longer than this is folded from the log each time. */
const SNAPSHOT_LENGTH_MAX = 32 * 1024 * 1024;
const FORMAT = 'transcript/1';

/**
 * Sessions as people see them, up to the end of their logs. Snapshots beside the logs keep that cheap: a
 * log grows far longer than what is left of it when it is folded.
 */
export class SessionTranscripts {
  readonly #journal: Journal;
  readonly #onProblem: (sessionId: SessionId, error: unknown) => void;
  readonly #kept = new Map<SessionId, Transcript>();
  readonly #queue = new KeyedQueue<SessionId>();
  /** Where the last snapshot of a log stands, of the logs that grow. */
  readonly #snapshotSeqs = new Map<SessionId, number>();

  constructor(journal: Journal, onProblem: (sessionId: SessionId, error: unknown) => void) {
    this.#journal = journal;
    this.#onProblem = onProblem;
  }

  /** The transcript at the end of the log. It changes when it is read once more; do not keep it. */
  read(sessionId: SessionId): Promise<Transcript> {
    return this.#queue.run(sessionId, () => this.#read(sessionId));
  }

  /** A log has grown. Writes a snapshot when it has grown enough since the last one. */
  noteHead(sessionId: SessionId, headSeq: number): void {
    const last = this.#snapshotSeqs.get(sessionId);
    if (last === undefined) {
      // The first event that is seen of a log: whatever is before it has a snapshot or needs none yet.
      this.#snapshotSeqs.set(sessionId, headSeq < SNAPSHOT_EVERY ? 0 : headSeq - 1);
      return;
    }
    if (headSeq - last < Math.max(SNAPSHOT_EVERY, last / 10)) return;
    this.#snapshotSeqs.set(sessionId, headSeq);
    this.#queue
      .run(sessionId, () => this.#write(sessionId))
      .catch((error: unknown) => this.#onProblem(sessionId, error));
  }

  /** The session is closed or deleted. */
  forget(sessionId: SessionId): void {
    this.#kept.delete(sessionId);
    this.#snapshotSeqs.delete(sessionId);
  }

  async #write(sessionId: SessionId): Promise<void> {
    const transcript = await this.#read(sessionId);
    const state = JSON.stringify(encodeTranscript(transcript));
    if (state.length > SNAPSHOT_LENGTH_MAX) return;
    await this.#journal.putSnapshot(sessionId, { seq: transcript.lastSeq, format: FORMAT, state });
  }

  async #read(sessionId: SessionId): Promise<Transcript> {
    const transcript = this.#kept.get(sessionId) ?? (await this.#fromSnapshot(sessionId));
    for (;;) {
      const page = await this.#journal.read(sessionId, transcript.lastSeq, PAGE_LENGTH);
      if (page.length === 0) break;
      for (const { seq, body } of page) {
        foldTranscript(transcript, { seq, event: decodeEvent(body) });
      }
    }
    this.#keep(sessionId, transcript);
    return transcript;
  }

  /** A snapshot that cannot be read costs time and nothing else. */
  async #fromSnapshot(sessionId: SessionId): Promise<Transcript> {
    const snapshot = await this.#journal.snapshot(sessionId);
    if (snapshot?.format !== FORMAT) return createTranscript();
    try {
      return decodeTranscript(JSON.parse(snapshot.state));
    } catch (error) {
      this.#onProblem(sessionId, error);
      return createTranscript();
    }
  }

  #keep(sessionId: SessionId, transcript: Transcript): void {
    this.#kept.delete(sessionId);
    this.#kept.set(sessionId, transcript);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_MAX) return;
      this.#kept.delete(oldest);
    }
  }
}
