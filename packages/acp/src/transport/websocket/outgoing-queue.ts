/** How much is taken at a time, in characters. */
const BATCH_LENGTH = 64 * 1024;

/** What is taken at a time. */
export interface Batch {
  /** Texts of one message each, except the first, which may go on with a message. */
  readonly texts: readonly string[];
  /** Whether the last text ends its message. */
  readonly isWhole: boolean;
  readonly length: number;
}

/** Frames that wait to be sent, and how much of the first one has been. */
export class OutgoingQueue {
  readonly #pieceLengthMax: number;
  #frames: string[] = [];
  #sentOfFirst = 0;
  #length = 0;

  /** @param pieceLengthMax a frame that is longer is taken in pieces, in characters. */
  constructor(pieceLengthMax: number) {
    this.#pieceLengthMax = pieceLengthMax;
  }

  get isEmpty(): boolean {
    return this.#frames.length === 0;
  }

  /** Characters that wait. */
  get length(): number {
    return this.#length;
  }

  /** Whether there is enough for a batch. */
  get isWorthTaking(): boolean {
    return this.#length >= BATCH_LENGTH;
  }

  push(frame: string): void {
    this.#frames.push(frame);
    this.#length += frame.length;
  }

  clear(): void {
    this.#frames = [];
    this.#sentOfFirst = this.#length = 0;
  }

  /** Takes frames up to the length of a batch, or the next piece of a long frame. */
  take(): Batch {
    const first = this.#frames[0] ?? '';
    const batch =
      first.length - this.#sentOfFirst > this.#pieceLengthMax
        ? this.#takePiece(first)
        : this.#takeFrames(first);
    this.#length -= batch.length;
    return batch;
  }

  #takePiece(frame: string): Batch {
    const start = this.#sentOfFirst;
    const end = start + this.#pieceLengthMax;
    const piece = frame.slice(start, isWithinCharacter(frame, end) ? end - 1 : end);
    this.#sentOfFirst += piece.length;
    return { texts: [piece], isWhole: false, length: piece.length };
  }

  #takeFrames(first: string): Batch {
    const frames = this.#frames;
    const texts = [this.#sentOfFirst === 0 ? first : first.slice(this.#sentOfFirst)];
    let length = first.length - this.#sentOfFirst;
    while (texts.length < frames.length && length < BATCH_LENGTH) {
      const frame = frames[texts.length] ?? '';
      if (frame.length > this.#pieceLengthMax) break;
      texts.push(frame);
      length += frame.length;
    }
    this.#sentOfFirst = 0;
    if (texts.length === frames.length) this.#frames = [];
    else frames.splice(0, texts.length);
    return { texts, isWhole: true, length };
  }
}

/** Whether a cut there would divide a character that takes two places. */
function isWithinCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index - 1);
  return code >= 0xd800 && code <= 0xdbff;
}
