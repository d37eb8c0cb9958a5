import type { IncomingMessage } from 'node:http';
import type { HttpFetchBody, HttpFetchPiece, HttpFetchReader } from './http-fetch.ts';

/** How much may wait to be read before the socket is not read any more, in bytes. */
const QUEUE_BYTES = 256 * 1024;

interface Waiting {
  resolve(piece: HttpFetchPiece): void;
  reject(error: Error): void;
}

const END: HttpFetchPiece = { done: true };

/** The body of an answer that `node:http` receives, without a web stream in between. */
export class NodeBody implements HttpFetchBody, HttpFetchReader {
  readonly #message: IncomingMessage;
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** Undefined until nothing more comes. */
  #end: { readonly error?: Error } | undefined;
  /** Who reads and has to wait. */
  #waiting: Waiting | undefined;

  constructor(message: IncomingMessage) {
    this.#message = message;
    message.on('error', (error) => this.#finish({ error }));
  }

  getReader(): HttpFetchReader {
    this.#message
      .on('data', (piece: Uint8Array) => this.#onPiece(piece))
      .on('end', () => this.#finish({}))
      .on('close', () => this.#onClose());
    return this;
  }

  /** Whether nothing is taken in at the moment, since what waits is not read. */
  get isPaused(): boolean {
    return this.#message.isPaused();
  }

  /** The pieces that came before a cut are read before it is told. */
  read(): Promise<HttpFetchPiece> {
    const value = this.#pieces.shift();
    if (value !== undefined) {
      this.#length -= value.length;
      if (this.#length < QUEUE_BYTES && this.#message.isPaused()) this.#message.resume();
      return Promise.resolve({ done: false, value });
    }
    const end = this.#end;
    if (end === undefined) {
      return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
    }
    return end.error === undefined ? Promise.resolve(END) : Promise.reject(end.error);
  }

  /** Resolves when the connection is free for the next request, or given up. */
  cancel(): Promise<void> {
    this.#finish({});
    this.#pieces = [];
    const message = this.#message;
    if (message.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      message.on('close', resolve);
      // What is here already is thrown away; what is still on its way may be without an end.
      if (message.complete) message.resume();
      else message.destroy();
    });
  }

  /** Ends the reading at once. */
  abort(reason: Error): void {
    this.#pieces = [];
    this.#finish({ error: reason });
    this.#message.destroy();
  }

  #onPiece(value: Uint8Array): void {
    if (this.#end !== undefined) return;
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting.resolve({ done: false, value });
      return;
    }
    this.#pieces.push(value);
    this.#length += value.length;
    if (this.#length >= QUEUE_BYTES) this.#message.pause();
  }

  #onClose(): void {
    if (this.#end === undefined) this.#finish({ error: new Error('the answer was cut off') });
  }

  #finish(end: { readonly error?: Error }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (end.error === undefined) waiting?.resolve(END);
    else waiting?.reject(end.error);
  }
}
