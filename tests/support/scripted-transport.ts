import { PeerError, type Frame, type Transport } from '@signalbox/acp';

/** One turn of the event loop: every promise reaction that is due has run after it. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A transport whose other side is the test: it says what arrives when, and sees what is sent. */
export class ScriptedTransport implements Transport {
  readonly sent: string[] = [];
  isClosed = false;
  /** Thrown by the next sends, to play a transport that cannot send. */
  sendFailure: Error | undefined;
  /** How many batches have been taken so far. */
  readCount = 0;
  #batches: (readonly Frame[])[] = [];
  #end: { error?: Error } | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeWatcher: (() => void) | undefined;

  /** Frames arrive with one read. */
  arrive(...frames: Frame[]): void {
    this.#batches.push(frames);
    this.#wakeReader?.();
  }

  /** The other side ends its direction. */
  end(): void {
    this.#end ??= {};
    this.#wakeReader?.();
  }

  /** The transport fails. */
  fail(error: Error): void {
    this.#end ??= { error };
    this.#wakeReader?.();
  }

  send(frame: string): void {
    if (this.isClosed) throw new PeerError('closed', 'closed');
    if (this.sendFailure !== undefined) throw this.sendFailure;
    this.sent.push(frame);
    this.#wakeWatcher?.();
  }

  async *receive(): AsyncIterable<readonly Frame[]> {
    for (;;) {
      const batch = this.#batches.shift();
      if (batch !== undefined) {
        this.readCount++;
        yield batch;
      } else if (this.#end?.error !== undefined) {
        throw this.#end.error;
      } else if (this.#end !== undefined) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wakeReader = resolve));
      }
    }
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.end();
    return Promise.resolve();
  }

  /** Resolves when at least so many frames have been sent, with all of them decoded. */
  async whenSent(count: number): Promise<unknown[]> {
    while (this.sent.length < count) {
      await new Promise<void>((resolve) => (this.#wakeWatcher = resolve));
    }
    return this.messages();
  }

  /** What has been sent, decoded. */
  messages(): unknown[] {
    return this.sent.map((frame) => JSON.parse(frame) as unknown);
  }
}
