import type { SocketListener, SocketPort } from './socket-port.ts';
import { OPEN, type WebSocketLike } from './web-socket-like.ts';

/** Below this much the socket counts as having written what it was given, in bytes. */
const LOW_WATER_BYTES = 64 * 1024;
/** A socket of this kind tells of no progress and has to be asked: how often, in ms. */
const POLL_MS = 10;
const POLL_MS_MAX = 200;

/** A socket as browsers have it. It can neither ping nor be paused nor send a text in pieces. */
export class EventTargetPort implements SocketPort {
  readonly #socket: WebSocketLike;
  readonly heard = 0;
  readonly pieceLengthMax = Infinity;
  readonly canPause = false;
  readonly ping = undefined;

  constructor(socket: WebSocketLike) {
    this.#socket = socket;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === OPEN;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  defer(callback: () => void): void {
    queueMicrotask(callback);
  }

  write(texts: readonly string[], _isWhole: boolean, onWritten: () => void): void {
    for (const text of texts) this.#socket.send(text);
    if (this.#socket.bufferedAmount <= LOW_WATER_BYTES) queueMicrotask(onWritten);
    else this.#poll(onWritten, POLL_MS);
  }

  pause(): void {}

  resume(): void {}

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  terminate(): void {
    this.#socket.close();
  }

  listen(listener: SocketListener): void {
    const socket = this.#socket;
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') listener.onText(data);
      else listener.onBinary();
    });
    // An error is always followed by a close and says nothing that the close does not.
    socket.addEventListener('close', ({ code, reason }) => listener.onClose(code, reason));
  }

  #poll(onWritten: () => void, delayMs: number): void {
    setTimeout(() => {
      if (this.#socket.bufferedAmount <= LOW_WATER_BYTES) onWritten();
      // A socket that is not open keeps what it has for ever.
      else if (this.isOpen) this.#poll(onWritten, Math.min(delayMs * 2, POLL_MS_MAX));
    }, delayMs);
  }
}
