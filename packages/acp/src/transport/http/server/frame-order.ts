import { toEventId, type StreamPosition } from '../stream-position.ts';
import { CatchUp } from './catch-up.ts';
import { IN_FRONT, isReached, type OutgoingFrame } from './outgoing-frame.ts';
import { ReplayBuffer, type ReplayLimits } from './replay-buffer.ts';

/** The text of a frame that only takes a number. */
const MARK = '';

/**
 * The frames of one stream that were not sent yet, and what is needed to send lost ones again in their
 * order.
 *
 * Placed frames, which a log can give again, are forgotten when they are sent; unplaced ones are kept for
 * a while. A client comes back with the position behind the last event that it has processed.
 */
export class FrameOrder {
  readonly #limits: ReplayLimits;
  readonly #replay: ReplayBuffer;
  #unsent: OutgoingFrame[] = [];
  #unsentLength = 0;
  /** The cursor of the last placed frame that was taken in. */
  #accepted = '';
  /** Behind what was sent. */
  #cursor = '';
  #number = 0;
  /** What stands between the cursor and the text of an event; it seldom changes. */
  #behindCursor = behindCursor(0);
  /** The first placed frame: a client that has lost it has no cursor to have it sent again by. */
  #first: OutgoingFrame | undefined;
  /** The number with which the stream went on from another place; before it, cursors are out of date. */
  #mark = 0;
  #catchUp: CatchUp | undefined;

  constructor(limits: ReplayLimits) {
    this.#limits = limits;
    this.#replay = new ReplayBuffer(limits);
  }

  /** Characters that were not sent yet. */
  get heldLength(): number {
    return this.#unsentLength + (this.#catchUp?.length ?? 0);
  }

  /** Whether something may be sent now. */
  get hasDue(): boolean {
    return this.#unsent.length > 0;
  }

  /** Characters that may be sent now. */
  get dueLength(): number {
    return this.#unsentLength;
  }

  /** Behind the last event that was sent. */
  get position(): StreamPosition {
    return { cursor: this.#cursor, number: this.#number };
  }

  /** What a rewound stream is catching up with; undefined when nothing holds frames back. */
  get catchUp(): CatchUp | undefined {
    return this.#catchUp;
  }

  /** The first placed frame that was ever sent, if it was kept. */
  get first(): OutgoingFrame | undefined {
    return this.#first;
  }

  /**
   * What comes now goes on from another place of the log, so that earlier cursors mean nothing any more:
   * everything so far stands in front of it.
   *
   * @param nextNumber gives a number that no frame has. Who comes back with a lower one knows nothing of
   *   what comes now.
   */
  beginAnew(nextNumber: () => number): void {
    this.giveUpOrder();
    this.#replay.forgetPlaces();
    this.#unsent = this.#unsent.map((frame) =>
      frame.number > 0 ? { ...frame, cursor: IN_FRONT } : frame,
    );
    // Without a placed frame there is no cursor either.
    if (this.#accepted === '') return;
    this.#accepted = '';
    this.#mark = nextNumber();
    this.#add({ text: MARK, cursor: IN_FRONT, number: this.#mark });
  }

  addPlaced(text: string, cursor: string): void {
    this.#accepted = cursor;
    this.#add({ text, cursor, number: 0 });
    if (this.#catchUp !== undefined) this.#passTo(cursor);
  }

  addUnplaced(text: string, number: number): void {
    if (this.#catchUp === undefined) this.#add({ text, cursor: this.#accepted, number });
    else this.#catchUp.park(text, number);
  }

  /** Takes events out, which count as sent from then on, until their text is about `length` long. */
  takeEvents(length: number): string {
    let events = '';
    let count = 0;
    for (const frame of this.#unsent) {
      if (events.length >= length) break;
      events += this.#toEvent(frame);
      count++;
    }
    this.#unsent = count === this.#unsent.length ? [] : this.#unsent.slice(count);
    return events;
  }

  /** The position that a client comes back with, without a cursor that is out of date. */
  toCurrent(position: StreamPosition): StreamPosition {
    return position.number < this.#mark ? { ...position, cursor: '' } : position;
  }

  /** Whether no placed frame was sent behind a current position. */
  isUpTo({ cursor }: StreamPosition): boolean {
    return cursor === (this.#number < this.#mark ? '' : this.#cursor);
  }

  /** @throws StreamRefused when unplaced frames behind the position are gone or were never sent. */
  assertReaches(position: StreamPosition): void {
    this.#replay.assertReaches(position.number);
  }

  /** Goes back to a position behind which no placed frame was sent. */
  goBack(position: StreamPosition): void {
    const lost = this.#replay.takeBehind(position.number);
    this.#setNumber(position.number);
    this.#unsent = [...lost, ...this.#unsent];
    for (const { text } of lost) this.#unsentLength += text.length;
  }

  /**
   * Goes back to a position behind which all placed frames will be added again. Those that were not sent
   * yet are dropped, and the unplaced ones find their places between the new ones.
   *
   * @param lead the placed frame that comes before them.
   */
  restart(position: StreamPosition, lead?: OutgoingFrame): void {
    const unplaced = [
      ...this.#replay.takeBehind(position.number),
      ...this.#unsent.filter(({ number }) => number > 0),
      ...(this.#catchUp?.waiting ?? []),
    ];
    const reachedBefore = this.#catchUp?.target ?? '';
    const target = isReached(reachedBefore, this.#accepted) ? this.#accepted : reachedBefore;
    this.#clear();
    this.#catchUp = new CatchUp(target, unplaced);
    this.#cursor = position.cursor;
    this.#setNumber(position.number);
    this.#accepted = position.cursor;
    this.#passTo(position.cursor);
    if (lead !== undefined) this.addPlaced(lead.text, lead.cursor);
  }

  /** Lets everything go that was held back. */
  giveUpOrder(): void {
    const waiting = this.#catchUp?.waiting ?? [];
    this.#catchUp = undefined;
    for (const frame of waiting) this.#add(frame);
  }

  /** Drops everything that was not sent. */
  #clear(): void {
    this.#unsent = [];
    this.#unsentLength = 0;
    this.#catchUp = undefined;
  }

  #add(frame: OutgoingFrame): void {
    this.#unsent.push(frame);
    this.#unsentLength += frame.text.length;
  }

  #passTo(cursor: string): void {
    const catchUp = this.#catchUp;
    if (catchUp === undefined) return;
    for (const frame of catchUp.pass(cursor)) this.#add(frame);
    if (isReached(catchUp.target, cursor)) this.#catchUp = undefined;
  }

  #toEvent(frame: OutgoingFrame): string {
    const { text, cursor, number } = frame;
    this.#unsentLength -= text.length;
    if (number > 0) {
      this.#setNumber(number);
      this.#replay.keep(frame);
      if (text === MARK) return this.#passMark();
    } else {
      if (this.#cursor === '') this.#noteFirst(frame);
      this.#cursor = cursor;
    }
    return `id: ${this.#cursor}${this.#behindCursor}${text}\n\n`;
  }

  #noteFirst(frame: OutgoingFrame): void {
    this.#first = frame.text.length <= this.#limits.replayBytesMax ? frame : undefined;
  }

  /** The ids of the next events tell of the mark, so it takes no event of its own. */
  #passMark(): string {
    this.#cursor = '';
    this.#first = undefined;
    return '';
  }

  #setNumber(number: number): void {
    this.#number = number;
    this.#behindCursor = behindCursor(number);
  }
}

/** The rest of the id, as {@link toEventId} writes it, and the name of the next field. */
function behindCursor(number: number): string {
  return `${toEventId({ cursor: '', number })}\ndata: `;
}
