import { isReached, type OutgoingFrame } from './outgoing-frame.ts';

/**
 * A stream that was rewound: until its owner has sent again what the client had lost, unplaced frames wait
 * here, each for the placed frame that it came behind.
 */
export class CatchUp {
  /** The cursor up to which frames had been sent before the rewinding. */
  readonly target: string;
  #waiting: OutgoingFrame[];
  #length = 0;

  /** @param waiting unplaced frames in their order. */
  constructor(target: string, waiting: readonly OutgoingFrame[]) {
    this.target = target;
    this.#waiting = [...waiting];
    for (const { text } of waiting) this.#length += text.length;
  }

  /** Characters that wait. */
  get length(): number {
    return this.#length;
  }

  /** What waits, in its order. */
  get waiting(): readonly OutgoingFrame[] {
    return this.#waiting;
  }

  /** Takes a frame in that its sender thinks of as behind everything sent before the rewinding. */
  park(text: string, number: number): void {
    this.#waiting.push({ text, cursor: this.target, number });
    this.#length += text.length;
  }

  /** The frames that may go out now that the stream has come to `cursor`. */
  pass(cursor: string): readonly OutgoingFrame[] {
    let count = 0;
    for (const frame of this.#waiting) {
      if (!isReached(frame.cursor, cursor)) break;
      this.#length -= frame.text.length;
      count++;
    }
    return count === 0 ? [] : this.#waiting.splice(0, count);
  }
}
