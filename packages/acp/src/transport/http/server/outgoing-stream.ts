import { PeerError } from '../../../jsonrpc/peer-error.ts';
import type { FramePlace } from '../../../jsonrpc/transport.ts';
import { StreamRefused } from '../../incoming-connection.ts';
import type { Clock } from '../../../clock/clock.ts';
import { toEventId, type StreamPosition } from '../stream-position.ts';
import type { CatchUp } from './catch-up.ts';
import type { EventResponse } from './event-response.ts';
import { FrameOrder } from './frame-order.ts';
import type { AcpHttpLimits } from './http-limits.ts';

/** Characters that are gathered before they are written at once. */
const GATHER_LENGTH = 48 * 1024;

/** What an {@link OutgoingStream} needs of its connection. */
export interface OutgoingStreamOwner {
  readonly limits: AcpHttpLimits;
  readonly clock: Clock;
  /** The number of the connection's next unplaced frame, from 1. */
  readonly nextNumber: () => number;
  /** Makes whoever sends placed frames go back behind a cursor; undefined when nobody can. */
  readonly rewind: ((cursor: string) => Promise<() => void>) | undefined;
  /** A reader comes. @returns to be called when it goes; the stream counts as used for `graceMs` more. */
  readonly onReader: () => (graceMs: number) => void;
  /** A rewound stream stood still, and the order of its frames was given up. */
  readonly onStuck: () => void;
}

/** One event stream of a connection: frames wait here for its reader, who may come, go and resume. */
export class OutgoingStream {
  readonly #owner: OutgoingStreamOwner;
  readonly #order: FrameOrder;
  #reader: EventResponse | undefined;
  /** When it was last read, or made. */
  #usedAt: number;
  #openUntil = 0;
  #placedCount = 0;
  #isRewinding = false;
  #isScheduled = false;
  #isFinishing = false;
  #isEnded = false;
  #room: Promise<void> | undefined;
  #makeRoom: (() => void) | undefined;
  #onFinished: (() => void) | undefined;
  #openingCount = 0;
  /** Settles when the last request for this stream has been dealt with; never rejects. */
  #lastOpening: Promise<void> = Promise.resolve();

  constructor(owner: OutgoingStreamOwner) {
    this.#owner = owner;
    this.#usedAt = owner.clock.elapsed();
    this.#order = new FrameOrder(owner.limits);
  }

  /** Whether somebody reads it now, or did so by a poll a moment ago. */
  get isOpen(): boolean {
    return this.#reader !== undefined || this.#owner.clock.elapsed() < this.#openUntil;
  }

  /** Whether something waits for a reader. */
  get isHolding(): boolean {
    return this.#order.heldLength > 0;
  }

  /** Whether nothing was ever sent, held or asked for, so that nothing is lost when it is forgotten. */
  get isUntouched(): boolean {
    const { heldLength, position } = this.#order;
    const isAtStart = position.cursor === '' && position.number === 0;
    return isAtStart && heldLength === 0 && this.#openingCount === 0;
  }

  /**
   * Sends a frame; one with a cursor can be sent again by the connection's owner.
   *
   * @returns a promise only while as much waits as should.
   * @throws PeerError `queue_full`; then nothing of the frame is sent.
   */
  send(text: string, { cursor, begins }: Omit<FramePlace, 'stream'> = {}): void | Promise<void> {
    const { queuedBytesMax, highWaterBytes } = this.#owner.limits;
    const held = this.#order.heldLength;
    if (held > 0 && held + text.length > queuedBytesMax) {
      throw new PeerError('queue_full', `${held} characters wait for a client that does not read`);
    }
    if (begins === true) this.#order.beginAnew(this.#owner.nextNumber);
    if (cursor === undefined) {
      this.#order.addUnplaced(text, this.#owner.nextNumber());
    } else {
      this.#placedCount++;
      this.#order.addPlaced(text, cursor);
    }
    this.#schedule();
    // Whoever sends may have to stop first in order to go back, so nothing keeps it waiting then.
    if (this.#isRewinding || this.#order.heldLength < highWaterBytes) return;
    this.#room ??= new Promise((resolve) => (this.#makeRoom = resolve));
    return this.#room;
  }

  /**
   * Gives the stream to a new reader; the one before it is ended. Requests are dealt with in their order.
   *
   * @param position where the client goes on; undefined to go on with what no socket has got yet.
   * @param start makes the reader, or nothing when the client has gone in the meantime.
   * @throws StreamRefused when the stream cannot be continued from there.
   */
  async open(
    position: StreamPosition | undefined,
    start: () => EventResponse | undefined,
  ): Promise<void> {
    const opening = this.#lastOpening.then(() => this.#open(position, start));
    this.#lastOpening = opening.catch(() => undefined);
    this.#openingCount++;
    try {
      await opening;
    } finally {
      this.#openingCount--;
    }
  }

  /**
   * Ends the stream behind what was sent on it. Resolves when its reader has been told; if there is none,
   * one is waited for who was there a moment ago and may be about to come back.
   */
  async finish(): Promise<void> {
    const { clock, limits } = this.#owner;
    if (!this.isOpen && clock.elapsed() >= this.#usedAt + limits.flushMs) this.end();
    if (this.#isEnded) return;
    this.#isFinishing = true;
    const finished = new Promise<void>((resolve) => (this.#onFinished = resolve));
    this.#flush();
    await finished;
  }

  /** Ends the stream and its reader at once, and lets everybody go who waits. */
  end(): void {
    this.#isEnded = true;
    this.#reader?.end('closed');
    this.#release();
    this.#onFinished?.();
  }

  #schedule(): void {
    if (this.#reader === undefined || this.#reader.isBlocked) return;
    if (this.#order.dueLength >= GATHER_LENGTH) {
      this.#flush();
    } else if (!this.#isScheduled) {
      this.#isScheduled = true;
      // A tick runs when all promise reactions that are due have run, so their frames are in it too.
      process.nextTick(this.#onTick);
    }
  }

  readonly #onTick = (): void => {
    this.#isScheduled = false;
    this.#flush();
  };

  #flush(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    if (this.#order.hasDue && !reader.isBlocked) {
      while (this.#order.hasDue && !reader.isBlocked) {
        reader.write(this.#order.takeEvents(GATHER_LENGTH));
      }
      if (reader.isPoll) reader.answerPoll();
      if (this.#order.heldLength < this.#owner.limits.highWaterBytes) this.#release();
    }
    const isWritten = this.#order.heldLength === 0 && !reader.isMidEvent;
    if (this.#isFinishing && isWritten && reader === this.#reader) this.end();
  }

  async #open(
    position: StreamPosition | undefined,
    start: () => EventResponse | undefined,
  ): Promise<void> {
    if (position !== undefined) this.#order.assertReaches(position);
    this.#reader?.end('replaced');
    if (position !== undefined) await this.#seek(position);
    const reader = start();
    if (reader === undefined) return;
    this.#attach(reader);
    if (this.#isEnded) reader.end('closed');
    else this.#flush();
  }

  #attach(reader: EventResponse): void {
    this.#reader = reader;
    const onGone = this.#owner.onReader();
    const onEnd = (): void => {
      if (this.#reader === reader) this.#reader = undefined;
      const { clock, limits } = this.#owner;
      const graceMs = reader.isPoll ? limits.pollGraceMs : 0;
      this.#usedAt = clock.elapsed();
      this.#openUntil = this.#usedAt + graceMs;
      onGone(graceMs);
    };
    reader.start({ onDrain: () => this.#flush(), onEnd }, toEventId(this.#order.position));
  }

  async #seek(given: StreamPosition): Promise<void> {
    const position = this.#order.toCurrent(given);
    if (this.#order.isUpTo(position)) {
      this.#order.goBack(position);
      return;
    }
    // A client that has lost the very first placed frame has no cursor; that frame was kept for it.
    const lead = position.cursor === '' ? this.#order.first : undefined;
    const goOn = await this.#rewind(lead?.cursor ?? position.cursor);
    this.#order.restart(position, lead);
    if (this.#order.catchUp !== undefined) this.#watch(this.#order.catchUp);
    goOn();
  }

  async #rewind(cursor: string): Promise<() => void> {
    const { rewind } = this.#owner;
    if (rewind === undefined || cursor === '') {
      throw new StreamRefused('gap', 'What was sent behind this event cannot be sent again.');
    }
    this.#isRewinding = true;
    this.#release();
    try {
      return await rewind(cursor);
    } finally {
      this.#isRewinding = false;
    }
  }

  /** What is in no log must not be held back for ever by an owner that does not send again. */
  #watch(catchUp: CatchUp): void {
    const { clock, limits, onStuck } = this.#owner;
    const countBefore = this.#placedCount;
    clock.setTimer(limits.catchUpMs, () => {
      if (this.#order.catchUp !== catchUp || this.#isEnded) return;
      const isWaiting = this.#order.dueLength >= limits.highWaterBytes || this.#isRewinding;
      if (isWaiting || this.#placedCount !== countBefore) {
        this.#watch(catchUp);
        return;
      }
      if (catchUp.length > 0) onStuck();
      this.#order.giveUpOrder();
      this.#schedule();
    });
  }

  #release(): void {
    this.#room = undefined;
    this.#makeRoom?.();
    this.#makeRoom = undefined;
  }
}
