import {
  BoundedTranscript,
  createTranscript,
  toStoredEvent,
  type Journal,
  type SessionId,
  type Snapshot,
  type StoredEntry,
  type Transcript,
} from '@signalbox/core';
import { KeyedQueue } from './keyed-queue.ts';
import { foldWithLandmarks } from './landmarks.ts';
import { outlineOf, toSnapshot, type SessionOutline, type StateAt } from './session-snapshot.ts';
import { SnapshotSchedule } from './snapshot-schedule.ts';

const PAGE_LENGTH = 2048;
/** Transcripts that stay in memory after they were asked for; the least recently used go first. */
const KEPT_MAX = 16;
/**
 * How much of a session is kept, in its memory and in its snapshots: the newest entries, and whatever is
 * under way, with the newest part of each text. There is more in between, see `BoundedTranscript` (B183).
 */
export const KEPT_BOUNDS = {
  entriesMax: 1000,
  bytesMax: 2 * 1024 * 1024,
  textBytesMax: 1024 * 1024,
};
/** A snapshot that is longer than this is not written: reading it would cost more than reading the log. */
const SNAPSHOT_LENGTH_MAX = 32 * 1024 * 1024;

interface Kept extends Omit<SessionOutline, 'transcript'> {
  readonly transcript: BoundedTranscript;
}

/**
 * Sessions as people see them, up to the end of their logs, without their oldest parts. Snapshots beside the
 * logs keep that cheap, and the opening of a session too: a log grows without an end, they do not.
 */
export class SessionTranscripts {
  readonly #journal: Journal;
  readonly #onProblem: (sessionId: SessionId, error: unknown) => void;
  readonly #kept = new Map<SessionId, Kept>();
  readonly #queue = new KeyedQueue<SessionId>();
  /** Of the sessions that this host runs. */
  readonly #schedules = new Map<SessionId, SnapshotSchedule>();

  constructor(journal: Journal, onProblem: (sessionId: SessionId, error: unknown) => void) {
    this.#journal = journal;
    this.#onProblem = onProblem;
  }

  /**
   * The transcript at the end of the log, bounded as `boundTranscript` does. It changes when it is read once
   * more; do not keep it.
   */
  async read(sessionId: SessionId): Promise<Transcript> {
    return (await this.readOutline(sessionId)).transcript;
  }

  /** The same, and where the log says how the session stands. */
  readOutline(sessionId: SessionId): Promise<SessionOutline> {
    return this.#queue.run(sessionId, async () => toOutline(await this.#read(sessionId)));
  }

  /** This host runs a session now. @param snapshotSeq where its last snapshot stands; 0 if there is none. */
  begin(sessionId: SessionId, snapshotSeq: number): void {
    this.#schedules.set(sessionId, new SnapshotSchedule(snapshotSeq));
  }

  /**
   * The log has grown up to here. Writes a snapshot when it has grown enough since the last one.
   *
   * @param entries what is new. It is folded at once, where that is cheap.
   */
  note(sessionId: SessionId, at: StateAt, entries: readonly StoredEntry[]): void {
    const kept = this.#kept.get(sessionId);
    if (kept?.transcript.current.lastSeq === at.seq - entries.length) {
      fold(kept, entries);
      this.#keep(sessionId, kept);
    }
    const schedule = this.#schedules.get(sessionId);
    if (schedule?.isDue(at) === true) void this.#write(sessionId, at, schedule);
  }

  /** The session is closed in good order: whoever opens it next is to find it at once. */
  async end(sessionId: SessionId, at: StateAt): Promise<void> {
    const schedule = this.#schedules.get(sessionId);
    if (schedule?.isWorthAtEnd(at) === true) await this.#write(sessionId, at, schedule);
    await this.forget(sessionId);
  }

  /** The session has failed or is to be deleted. Resolves when nothing is written for it any more. */
  async forget(sessionId: SessionId): Promise<void> {
    this.#schedules.delete(sessionId);
    await this.#queue.run(sessionId, () => Promise.resolve(this.#kept.delete(sessionId)));
  }

  /** Never rejects. */
  async #write(sessionId: SessionId, at: StateAt, schedule: SnapshotSchedule): Promise<void> {
    schedule.begun(at.seq);
    try {
      await this.#queue.run(sessionId, async () => {
        const kept = await this.#read(sessionId);
        kept.transcript.bound();
        const snapshot = toSnapshot(at, toOutline(kept));
        schedule.written(snapshot.state.length);
        if (snapshot.state.length > SNAPSHOT_LENGTH_MAX) return;
        await this.#journal.putSnapshot(sessionId, snapshot);
      });
    } catch (error) {
      this.#onProblem(sessionId, error);
    }
  }

  async #read(sessionId: SessionId): Promise<Kept> {
    const kept = this.#kept.get(sessionId) ?? toKept(await this.#fromSnapshot(sessionId));
    for (;;) {
      const { lastSeq } = kept.transcript.current;
      const page = await this.#journal.read(sessionId, lastSeq, PAGE_LENGTH);
      if (page.length === 0) break;
      fold(kept, page);
    }
    this.#keep(sessionId, kept);
    return kept;
  }

  /** A snapshot that cannot be read costs time and nothing else. */
  async #fromSnapshot(sessionId: SessionId): Promise<SessionOutline> {
    const snapshot = await this.#journal.snapshot(sessionId);
    try {
      const outline = snapshot && (await this.#inLog(sessionId, snapshot));
      if (outline !== undefined) return outline;
    } catch (error) {
      this.#onProblem(sessionId, error);
    }
    return { transcript: createTranscript(), landmarks: {} };
  }

  /** The log decides: a snapshot of what it does not hold is none of it. */
  async #inLog(sessionId: SessionId, snapshot: Snapshot): Promise<SessionOutline | undefined> {
    const outline = outlineOf(snapshot);
    const { seq } = await this.#journal.head(sessionId);
    return outline !== undefined && outline.transcript.lastSeq <= seq ? outline : undefined;
  }

  #keep(sessionId: SessionId, kept: Kept): void {
    this.#kept.delete(sessionId);
    this.#kept.set(sessionId, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_MAX) return;
      this.#kept.delete(oldest);
    }
  }
}

/** Folds the next entries of a log, in place. */
function fold({ transcript, landmarks }: Kept, entries: readonly StoredEntry[]): void {
  for (const entry of entries) {
    foldWithLandmarks(transcript.current, landmarks, toStoredEvent(entry));
    transcript.grew(entry.body.length);
  }
}

function toKept({ transcript, landmarks }: SessionOutline): Kept {
  return { transcript: new BoundedTranscript(transcript, KEPT_BOUNDS), landmarks };
}

function toOutline({ transcript, landmarks }: Kept): SessionOutline {
  return { transcript: transcript.current, landmarks };
}
