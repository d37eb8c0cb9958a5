import type { Frame } from '../../jsonrpc/transport.ts';

/** Received frames that wait for whoever reads the transport. */
export class FrameQueue {
  readonly #lengthWait: number;
  #frames: Frame[] = [];
  #length = 0;
  #end: { readonly error?: Error } | undefined;
  #wakeReader: (() => void) | undefined;
  #room: Promise<void> | undefined;
  #makeRoom: (() => void) | undefined;

  /** @param lengthWait characters that may wait before those who add more are asked to wait. */
  constructor(lengthWait: number) {
    this.#lengthWait = lengthWait;
  }

  /** Whether {@link end} or {@link fail} has been called: nothing is taken in any more. */
  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Adds frames; after the end they are dropped, since nobody reads them. */
  push(frames: readonly Frame[]): void {
    if (this.#end !== undefined) return;
    for (const frame of frames) {
      this.#frames.push(frame);
      this.#length += typeof frame === 'string' ? frame.length : frame.head.length;
    }
    this.#wakeReader?.();
  }

  /** A promise that never rejects while there is no room for more; undefined when there is. */
  whenRoom(): Promise<void> | undefined {
    if (this.#length < this.#lengthWait || this.#end !== undefined) return undefined;
    this.#room ??= new Promise((resolve) => (this.#makeRoom = resolve));
    return this.#room;
  }

  /** What waits is still read, then the reading ends. */
  end(): void {
    this.#finish({});
  }

  /** What waits is still read, then the reading throws. */
  fail(error: Error): void {
    this.#finish({ error });
  }

  async *read(): AsyncIterable<readonly Frame[]> {
    for (;;) {
      if (this.#frames.length > 0) {
        const frames = this.#frames;
        this.#frames = [];
        this.#length = 0;
        this.#release();
        yield frames;
      } else if (this.#end !== undefined) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wakeReader = resolve));
        this.#wakeReader = undefined;
      }
    }
  }

  #finish(end: { readonly error?: Error }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#wakeReader?.();
    this.#release();
  }

  #release(): void {
    this.#room = undefined;
    this.#makeRoom?.();
    this.#makeRoom = undefined;
  }
}
