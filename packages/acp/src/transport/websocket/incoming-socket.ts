import { screenFrame } from '../screen-frame.ts';
import type { IncomingConnection } from '../incoming-connection.ts';
import { CloseCode } from './close-code.ts';
import { judgeFirstMessage } from './first-message.ts';
import type { NodeSocket } from './node-socket.ts';
import { SocketConnection, type Closing, type TextVerdict } from './socket-connection.ts';
import { WebSocketError } from './web-socket-error.ts';
import type { WebSocketLimits } from './web-socket-limits.ts';
import { WsSocketPort } from './ws-socket-port.ts';

/** What an {@link IncomingSocket} is made of. */
export interface IncomingSocketParts<Context> {
  readonly id: string;
  readonly socket: NodeSocket;
  readonly context: Context;
  readonly limits: Required<WebSocketLimits> & {
    readonly handshakeMs: number;
    readonly levelsMax: number;
  };
  /** A message that is not text was ignored (R-WS-04). */
  readonly onIgnored: () => void;
}

/** One client's socket at an endpoint: an ordinary connection that has to begin with `initialize`. */
export class IncomingSocket<Context> {
  readonly connection: IncomingConnection<Context>;
  /** Resolves when the socket is gone; with the failure, if it did not end in the ordinary way. */
  readonly gone: Promise<WebSocketError | undefined>;
  readonly #socket: SocketConnection;
  readonly #handshakeTimer: ReturnType<typeof setTimeout>;

  constructor({ id, socket, context, limits, onIgnored }: IncomingSocketParts<Context>) {
    this.#socket = new SocketConnection(new WsSocketPort(socket), limits, {
      screen: (text) => screenFrame(text, limits.levelsMax),
      judge: (text) => this.#judge(text),
      onIgnored,
    });
    this.gone = this.#socket.gone;
    this.connection = { id, kind: 'websocket', context, transport: this.#socket.transport };
    this.#handshakeTimer = setTimeout(() => {
      this.#refuse(CloseCode.PolicyViolation, 'handshake');
    }, limits.handshakeMs);
    void this.gone.then(() => clearTimeout(this.#handshakeTimer));
    this.#socket.opened();
  }

  /** Closes in the ordinary way, after what was sent before. */
  close(closing: Closing, graceMs: number): Promise<void> {
    return this.#socket.close(closing, graceMs);
  }

  /** Ends at once, and drops what waits in either direction. */
  revoke(closing: Closing, cause?: unknown): void {
    const message = `the connection was closed here with code ${closing.closeCode} (${closing.reason})`;
    this.#socket.fail(new WebSocketError('revoked', message, { ...closing, cause }), true);
  }

  #judge(text: string): TextVerdict {
    const verdict = judgeFirstMessage(text);
    if (verdict === 'let_all_in') clearTimeout(this.#handshakeTimer);
    if (verdict === 'keep_out') {
      this.#refuse(CloseCode.ProtocolError, 'the first message must be an initialize request');
    }
    return verdict;
  }

  #refuse(closeCode: number, reason: string): void {
    const message = `the client did not begin with initialize (${reason})`;
    this.#socket.fail(new WebSocketError('violation', message, { closeCode, reason }));
  }
}
