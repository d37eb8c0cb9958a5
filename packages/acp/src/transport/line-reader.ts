import type { Readable } from 'node:stream';
import type { Frame } from '../jsonrpc/transport.ts';
import { LineSplitter } from './line-splitter.ts';

/** How long a silent input is still waited for when the output is lost, in ms. */
const LOST_GRACE_MS = 1000;

interface Waiter {
  resolve(result: IteratorResult<readonly Frame[]>): void;
  reject(error: Error): void;
}

/**
 * Reads lines, and only as fast as they are taken: the stream is paused while a read waits here. It
 * listens for reads itself, which costs a third of what the stream's own async iterator does.
 */
export class LineReader {
  readonly #input: Readable;
  readonly #splitter: LineSplitter;
  #queued: Frame[] = [];
  #waiter: Waiter | undefined;
  #isStarted = false;
  #isEnded = false;
  #failure: Error | undefined;
  #lost: Error | undefined;
  #silence: NodeJS.Timeout | undefined;

  /** @param bytesMax the longest line, in bytes. */
  constructor(input: Readable, bytesMax: number) {
    this.#input = input;
    this.#splitter = new LineSplitter(bytesMax);
    // From the beginning, since an error that nobody listens for would end the process.
    input.on('error', (error) => this.#end(error));
  }

  /** The lines, as many at a time as one read brought. Ends with the input, throws if it failed. */
  read(): AsyncIterableIterator<readonly Frame[]> {
    const iterator: AsyncIterableIterator<readonly Frame[]> = {
      next: () => this.#next(),
      return: () => {
        this.close();
        return Promise.resolve({ done: true, value: undefined });
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  /** Ends reading, here and at the other side. */
  close(): void {
    this.#end();
    this.#input.destroy();
  }

  /**
   * Nothing can be sent any more. What the other side sent before is still taken in, but an input
   * that then stays silent counts as failed, even if somebody keeps it open.
   */
  outputLost(error: Error): void {
    this.#lost = error;
    if (this.#waiter !== undefined) this.#watchSilence();
  }

  #next(): Promise<IteratorResult<readonly Frame[]>> {
    if (this.#queued.length > 0) {
      const value = this.#queued;
      this.#queued = [];
      return Promise.resolve({ done: false, value });
    }
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      if (!this.#isStarted) this.#start();
      else if (this.#input.isPaused()) this.#input.resume();
      if (this.#lost !== undefined) this.#watchSilence();
    });
  }

  #start(): void {
    this.#isStarted = true;
    if (this.#input.destroyed || this.#input.readableEnded) {
      this.#end();
      return;
    }
    this.#input.on('end', () => this.#end());
    this.#input.on('close', () => this.#end(new Error('the input was closed before its end')));
    this.#input.on('data', (chunk: Buffer | string) => this.#take(chunk));
  }

  #take(chunk: Buffer | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
    if (this.#lost !== undefined) this.#watchSilence();
    this.#deliver(this.#splitter.push(bytes));
  }

  #deliver(frames: Frame[]): void {
    if (frames.length === 0) return;
    const waiter = this.#waiter;
    if (waiter === undefined) {
      for (const frame of frames) this.#queued.push(frame);
      this.#input.pause();
      return;
    }
    this.#waiter = undefined;
    clearTimeout(this.#silence);
    waiter.resolve({ done: false, value: frames });
  }

  #end(failure?: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#failure = failure;
    clearTimeout(this.#silence);
    if (failure === undefined) this.#deliver(this.#splitter.end());
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (failure !== undefined) waiter?.reject(failure);
    else waiter?.resolve({ done: true, value: undefined });
  }

  #watchSilence(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#input.destroy(this.#lost), LOST_GRACE_MS);
  }
}
