import { closedError, PeerError } from '../../jsonrpc/peer-error.ts';
import { OutgoingQueue } from './outgoing-queue.ts';
import type { SocketPort } from './socket-port.ts';
import { StallWatch } from './stall-watch.ts';

/** The bounds of a {@link FrameSender}. */
export interface FrameSenderLimits {
  readonly highWaterBytes: number;
  readonly queuedBytesMax: number;
  readonly stallMs: number;
}

/**
 * Sends frames whole and in order, all that were sent in one turn of the event loop at once. Only one
 * batch is with the socket at a time: how it gets on tells whether the other side reads, and what waits
 * here can still be dropped.
 */
export class FrameSender {
  readonly #port: SocketPort;
  readonly #limits: FrameSenderLimits;
  readonly #queue: OutgoingQueue;
  readonly #watch: StallWatch;
  /** What the socket was given and has not written. */
  #writingLength = 0;
  #writtenCount = 0;
  #isWriting = false;
  #isDeferred = false;
  #isEnded = false;
  #isStopped = false;
  #failure: Error | undefined;
  #waiting: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #onFlushed: (() => void) | undefined;

  /** @param onStall called when nothing is written for too long; must call {@link stop}. */
  constructor(port: SocketPort, limits: FrameSenderLimits, onStall: () => void) {
    this.#port = port;
    this.#limits = limits;
    this.#queue = new OutgoingQueue(port.pieceLengthMax);
    const look = () =>
      this.#isWriting
        ? { writtenCount: this.#writtenCount, bufferedBytes: port.bufferedBytes }
        : undefined;
    this.#watch = new StallWatch(limits.stallMs, look, onStall);
  }

  /** Whether the socket has something that it has not written. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** @throws PeerError `closed` or `queue_full`; then nothing of the frame is sent. */
  send(frame: string): void | Promise<void> {
    if (this.#isEnded || !this.#port.isOpen) throw closedError(this.#failure);
    const waiting = this.#waitingLength;
    const length = waiting + frame.length;
    if (length > this.#limits.queuedBytesMax && waiting > 0) {
      throw new PeerError('queue_full', 'the other side does not read what is sent to it');
    }
    this.#queue.push(frame);
    if (!this.#isWriting) this.#gather();
    if (length > this.#limits.highWaterBytes) {
      this.#waiting ??= new Promise((resolve) => (this.#wake = resolve));
    }
    return this.#waiting;
  }

  /** Takes no more frames. Resolves when those that it has are written, or never will be. */
  async flush(): Promise<void> {
    this.#isEnded = true;
    if (this.#isStopped) return;
    if (!this.#isWriting && !this.#queue.isEmpty) this.#writeBatch();
    if (this.#isWriting) await new Promise<void>((resolve) => (this.#onFlushed = resolve));
  }

  /** Nothing can be sent any more: drops what waits. @param failure why, if it is one. */
  stop(failure?: Error): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#isEnded = true;
    this.#failure = failure;
    this.#isWriting = false;
    this.#writingLength = 0;
    this.#queue.clear();
    this.#watch.stop();
    this.#release();
    this.#onFlushed?.();
  }

  get #waitingLength(): number {
    return this.#queue.length + this.#writingLength;
  }

  #gather(): void {
    if (this.#queue.isWorthTaking) {
      this.#writeBatch();
    } else if (!this.#isDeferred) {
      this.#isDeferred = true;
      this.#port.defer(this.#onDeferred);
    }
  }

  readonly #onDeferred = (): void => {
    this.#isDeferred = false;
    if (!this.#isWriting && !this.#queue.isEmpty) this.#writeBatch();
  };

  #writeBatch(): void {
    const { texts, isWhole, length } = this.#queue.take();
    this.#isWriting = true;
    this.#writingLength = length;
    this.#port.write(texts, isWhole, this.#onWritten);
    this.#watch.start();
  }

  readonly #onWritten = (): void => {
    if (this.#isStopped) return;
    this.#isWriting = false;
    this.#writingLength = 0;
    this.#writtenCount++;
    if (!this.#queue.isEmpty) this.#writeBatch();
    else this.#onFlushed?.();
    if (this.#waitingLength <= this.#limits.highWaterBytes / 2) this.#release();
  };

  #release(): void {
    this.#waiting = undefined;
    this.#wake?.();
    this.#wake = undefined;
  }
}
