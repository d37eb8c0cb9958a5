import type { Frame } from '../../jsonrpc/transport.ts';

/** What a {@link ReceivedFrames} does to its source. */
export interface FrameSource {
  readonly canPause: boolean;
  pause(): void;
  resume(): void;
}

/**
 * Frames between a socket that pushes them and a reader that takes them: all that one read of the socket
 * brought are taken at once, and the socket is paused while nobody takes any.
 */
export class ReceivedFrames {
  readonly #source: FrameSource;
  readonly #lengthMax: number;
  readonly #onOverrun: () => void;
  #frames: Frame[] = [];
  #length = 0;
  #wake: (() => void) | undefined;
  /** Whether a reader is about to take what is here, once this turn's frames have all come. */
  #isTaking = false;
  #isPaused = false;
  #isEnded = false;
  #failure: Error | undefined;

  /**
   * @param lengthMax how many characters may wait here when the source cannot be paused.
   * @param onOverrun called when there are more; must call {@link end}.
   */
  constructor(source: FrameSource, lengthMax: number, onOverrun: () => void) {
    this.#source = source;
    this.#lengthMax = lengthMax;
    this.#onOverrun = onOverrun;
  }

  /** Whether the source is paused, so that nothing can be heard of it. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  push(frame: Frame): void {
    if (this.#isEnded) return;
    this.#frames.push(frame);
    this.#length += typeof frame === 'string' ? frame.length : frame.head.length;
    if (this.#wake !== undefined) this.#wakeReader();
    else if (!this.#isTaking) this.#holdBack();
  }

  /**
   * No more frames come. What is here is still taken, unless `dropped`; then the reader ends, or fails.
   */
  end(failure?: Error, dropped = false): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#failure = failure;
    if (dropped) this.#frames = [];
    // A socket that is paused could not finish closing.
    this.#release();
    this.#wakeReader();
  }

  /** The frames, as many at a time as one read brought. */
  read(): AsyncIterableIterator<readonly Frame[]> {
    const iterator: AsyncIterableIterator<readonly Frame[]> = {
      next: () => this.#next(),
      return: () => {
        this.end(undefined, true);
        return Promise.resolve({ done: true, value: undefined });
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  async #next(): Promise<IteratorResult<readonly Frame[]>> {
    if (this.#frames.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#isTaking = false;
    if (this.#frames.length > 0) {
      const value = this.#frames;
      this.#frames = [];
      this.#length = 0;
      this.#release();
      return { done: false, value };
    }
    if (this.#failure !== undefined) throw this.#failure;
    return { done: true, value: undefined };
  }

  #wakeReader(): void {
    const wake = this.#wake;
    if (wake === undefined) return;
    this.#wake = undefined;
    this.#isTaking = true;
    wake();
  }

  #holdBack(): void {
    if (this.#source.canPause) {
      if (this.#isPaused) return;
      this.#isPaused = true;
      this.#source.pause();
    } else if (this.#length > this.#lengthMax) {
      this.#onOverrun();
    }
  }

  #release(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#source.resume();
  }
}
