import { StreamRefused } from '../../incoming-connection.ts';
import { IN_FRONT, type OutgoingFrame } from './outgoing-frame.ts';

/** The bounds of a {@link ReplayBuffer}. */
export interface ReplayLimits {
  readonly replayFramesMax: number;
  readonly replayBytesMax: number;
}

/**
 * The last unplaced frames that were handed to a stream's readers. No log has them, so they are kept here
 * for a client that lost them on the way.
 */
export class ReplayBuffer {
  readonly #limits: ReplayLimits;
  #frames: OutgoingFrame[] = [];
  /** How many at the beginning of the list are forgotten; they are cut off now and then. */
  #forgottenCount = 0;
  #length = 0;
  /** The number of the last frame that is not kept any more; 0 when none has been given up. */
  #base = 0;

  constructor(limits: ReplayLimits) {
    this.#limits = limits;
  }

  /** Keeps a frame that is being sent, and gives up the oldest ones beyond the bounds. */
  keep(frame: OutgoingFrame): void {
    const { replayFramesMax, replayBytesMax } = this.#limits;
    this.#frames.push(frame);
    this.#length += frame.text.length;
    while (this.#count > 0 && (this.#count > replayFramesMax || this.#length > replayBytesMax)) {
      this.#forgetOldest();
    }
  }

  /**
   * Whether a client can go on behind frame `number`.
   *
   * @throws StreamRefused `gap` when frames behind it are gone, `foreign` when this stream has never had it.
   */
  assertReaches(number: number): void {
    if (number === this.#base) return;
    if (number < this.#base) {
      throw new StreamRefused('gap', 'What was sent behind this event is not kept any more.');
    }
    if (!this.#kept().some((frame) => frame.number === number)) {
      throw new StreamRefused('foreign', 'This stream has not sent an event with this id.');
    }
  }

  /** Forgets everything up to `number`, which the client has, and gives back what is behind it. */
  takeBehind(number: number): OutgoingFrame[] {
    const behind = this.#kept().filter((frame) => frame.number > number);
    this.#frames = [];
    this.#forgottenCount = 0;
    this.#length = 0;
    this.#base = number;
    return behind;
  }

  /** Places that frames came behind mean nothing any more. */
  forgetPlaces(): void {
    this.#frames = this.#kept().map((frame) => ({ ...frame, cursor: IN_FRONT }));
    this.#forgottenCount = 0;
  }

  get #count(): number {
    return this.#frames.length - this.#forgottenCount;
  }

  #kept(): OutgoingFrame[] {
    return this.#frames.slice(this.#forgottenCount);
  }

  #forgetOldest(): void {
    const oldest = this.#frames[this.#forgottenCount++];
    if (oldest === undefined) return;
    this.#base = oldest.number;
    this.#length -= oldest.text.length;
    // Moving the rest each time would cost more than the frames themselves.
    if (this.#forgottenCount * 2 > this.#frames.length) {
      this.#frames = this.#kept();
      this.#forgottenCount = 0;
    }
  }
}
