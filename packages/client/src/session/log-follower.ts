import type { NotificationMessage } from '@signalbox/acp';
import type { Transcript, TranscriptBounds } from '@signalbox/core';
import { ClientError } from '../client-error.ts';
import type { Link } from '../connection/link.ts';
import type { AttachResult } from './attach-result.ts';
import { Attachment, type AttachmentParts, type EndReason } from './attachment.ts';
import { toBatch, type Batch, type LogItem } from './batch.ts';
import { SessionLog } from './session-log.ts';
import type { SessionRouter } from './session-router.ts';

/** Who follows a session's log. */
export interface LogReaderCallbacks {
  /**
   * The next events of the log, each once and in order. Called for each item after it is in the view.
   */
  onItem(item: LogItem): void;
  /** All items of a batch have been told. @param before the place before them, where one is known. */
  onBatch(items: readonly LogItem[], before: string | undefined): void;
  /** The session is attached, for the first time or again. A snapshot is in the view already. */
  onAttached(result: AttachResult, link: Link): void;
  onCaughtUp(link: Link): void;
  onDetached(): void;
  onEnded(reason: EndReason, error: Error | undefined): void;
}

/** What a {@link LogFollower} works with. */
export interface LogFollowerParts extends Omit<
  AttachmentParts,
  'place' | 'onAttached' | 'onDetached' | 'onEnded'
> {
  readonly router: SessionRouter;
  /** Where to begin: `start`, a cursor, or with a snapshot. */
  readonly after: string | undefined;
  readonly hasView: boolean;
  /** How much the view keeps; undefined: everything. */
  readonly viewBounds: TranscriptBounds | undefined;
  readonly reader: LogReaderCallbacks;
}

/** Follows the log of one session over any number of connections, without a hole and without a repeat. */
export class LogFollower {
  readonly attachment: Attachment;
  readonly #parts: LogFollowerParts;
  readonly #log: SessionLog;
  #unroute: () => void = () => undefined;

  constructor(parts: LogFollowerParts) {
    const { after, hasView, viewBounds, reader } = parts;
    this.#parts = parts;
    this.#log = new SessionLog(after, hasView, viewBounds);
    this.attachment = new Attachment({
      ...parts,
      place: () => this.#log.place,
      onAttached: (result, link) => {
        const { snapshot } = result;
        if (snapshot !== undefined) this.#log.restart(snapshot.view, snapshot.cursor);
        reader.onAttached(result, link);
      },
      onDetached: () => reader.onDetached(),
      onEnded: (reason, error) => {
        this.#unroute();
        reader.onEnded(reason, error);
      },
    });
  }

  get view(): Transcript {
    return this.#log.view;
  }

  get cursor(): string | undefined {
    return this.#log.cursor;
  }

  /** Begins; see {@link Attachment.start}. */
  start(): Promise<AttachResult> {
    const { router, sessionId } = this.#parts;
    this.#unroute = router.add(sessionId, (message, link) => this.#onNotification(message, link));
    return this.attachment.start();
  }

  /** Ends it; nobody is told. @param error what waiting calls fail with. */
  close(error: Error): void {
    this.#unroute();
    this.attachment.close(error);
  }

  #onNotification(message: NotificationMessage, link: Link): void {
    // A connection that was left may still bring what it has.
    if (this.attachment.link !== link) return;
    switch (message.method) {
      case '_signalbox/session/events':
        this.#onEvents(message);
        return;
      case '_signalbox/session/caught_up':
        if (this.attachment.caughtUp()) this.#parts.reader.onCaughtUp(link);
        return;
      case '_signalbox/session/ended':
        this.#onEnded(message);
    }
  }

  #onEvents(message: NotificationMessage): void {
    let batch: Batch;
    try {
      batch = toBatch(message);
    } catch (error) {
      this.attachment.recover(error instanceof Error ? error.message : String(error));
      return;
    }
    const judgement = this.#log.judge(batch);
    if (judgement.kind === 'hole') {
      const { expected, found } = judgement;
      this.attachment.recover(`event ${expected} is missing, ${found} came`);
    } else if (judgement.kind === 'next') {
      this.#take(judgement.items, batch.cursor);
    }
  }

  #take(items: readonly LogItem[], cursor: string): void {
    const { reader } = this.#parts;
    const before = this.#log.cursor;
    this.attachment.progressed();
    for (const item of items) {
      this.#log.take(item);
      reader.onItem(item);
      // A listener may have closed the session; what it has not seen is not passed.
      if (this.attachment.isOver) return;
    }
    reader.onBatch(items, before);
    this.#log.passed(cursor);
  }

  /**
   * Only what was deleted has ended for good. A session that was closed, or that its host could not go on
   * with, can be opened again, as after a restart.
   */
  #onEnded({ params }: NotificationMessage): void {
    const { reason } = params as { reason?: unknown };
    if (reason === 'deleted') {
      this.attachment.ended('deleted');
    } else {
      const why = new ClientError('session_ended', `the server says: ${String(reason)}`);
      this.attachment.rest(why);
    }
  }
}
