import { CloseCode } from './close-code.ts';
import type { SocketListener, SocketPort } from './socket-port.ts';
import { OPEN, type WsSocketLike } from './web-socket-like.ts';

/** Long texts are sent in pieces, so that progress on a slow line can be seen and pings pass between. */
const PIECE_LENGTH_MAX = 64 * 1024;

const UNFINISHED = { fin: false };

/** A socket of the `ws` package, through its event emitter. */
export class WsSocketPort implements SocketPort {
  readonly #socket: WsSocketLike;
  #heardEvents = 0;
  readonly pieceLengthMax = PIECE_LENGTH_MAX;
  readonly canPause = true;

  constructor(socket: WsSocketLike) {
    this.#socket = socket;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === OPEN;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  get heard(): number {
    return this.#heardEvents + (this.#socket.bytesRead ?? 0);
  }

  readonly ping = (): void => {
    if (this.isOpen) this.#socket.ping();
  };

  defer(callback: () => void): void {
    process.nextTick(callback);
  }

  write(texts: readonly string[], isWhole: boolean, onWritten: () => void): void {
    const socket = this.#socket;
    const last = texts.length - 1;
    socket.cork?.();
    for (let i = 0; i < last; i++) socket.send(texts[i] ?? '');
    const text = texts[last] ?? '';
    if (isWhole) socket.send(text, onWritten);
    else socket.send(text, UNFINISHED, onWritten);
    socket.uncork?.();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  listen(listener: SocketListener): void {
    const socket = this.#socket;
    const onLifeSign = (): void => {
      this.#heardEvents++;
    };
    socket.on('message', (data, isBinary) => {
      this.#heardEvents++;
      // The bytes were checked to be UTF-8, and this is the one time that they are decoded.
      if (isBinary) listener.onBinary();
      else listener.onText(String(data));
    });
    socket.on('ping', onLifeSign);
    socket.on('pong', onLifeSign);
    // What goes wrong before the socket opens is told by the opening, and this may then come to nothing.
    socket.on('error', (error) => {
      const closeCode = violatedBy(error);
      if (closeCode !== undefined) listener.onViolation(error, closeCode);
    });
    socket.on('close', (code, reason) => listener.onClose(code, String(reason)));
  }
}

/** The code that the socket closes itself with after this error; undefined for other failures. */
function violatedBy(error: Error): number | undefined {
  const code = 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !code.startsWith('WS_ERR_')) return undefined;
  switch (code) {
    case 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH':
    case 'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH':
      return CloseCode.TooLarge;
    case 'WS_ERR_INVALID_UTF8':
      return CloseCode.InvalidText;
    case 'WS_ERR_TOO_MANY_BUFFERED_PARTS':
      return CloseCode.PolicyViolation;
    default:
      return CloseCode.ProtocolError;
  }
}
