import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type Server } from 'ws';
import { completeLimits } from '../complete-limits.ts';
import { CONNECTION_ID_HEADER } from '../connection-id-header.ts';
import type { AcceptConnection, IncomingConnection } from '../incoming-connection.ts';
import { LEVELS_MAX } from '../screen-frame.ts';
import { checkCloseCode, CloseCode } from './close-code.ts';
import { IncomingSocket } from './incoming-socket.ts';
import { NodeSocket } from './node-socket.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';
import {
  checkFrameBytesMax,
  FRAME_BYTES_MAX,
  WEB_SOCKET_LIMITS,
  type WebSocketLimits,
} from './web-socket-limits.ts';

/** The bounds of an endpoint and of each of its connections. Each can be set; zero is refused. */
export interface WebSocketEndpointLimits extends WebSocketLimits {
  /** Largest message of a client, in bytes; beyond it its socket closes with 1009. Default 64 MiB. */
  readonly frameBytesMax?: number;
  /** Levels of nesting of a client's message; a deeper one is answered with an error. Default 256. */
  readonly levelsMax?: number;
  /** How long a client may take until it sends `initialize`, in ms. Default 30 s. */
  readonly handshakeMs?: number;
  /** Connections at the same time; more are answered with HTTP status 503. Default 10,000. */
  readonly connectionsMax?: number;
}

/** What an endpoint needs. */
export interface WebSocketEndpointOptions<Context> {
  /** Takes each connection in, right after its upgrade. */
  readonly accept: AcceptConnection<Context>;
  readonly limits?: WebSocketEndpointLimits;
  /** The largest message of this client, in bytes, where it is less than `frameBytesMax`. */
  readonly frameBytesMaxOf?: (context: Context) => number | undefined;
  /** Told in one line of what went wrong on a connection. */
  readonly log?: (line: string) => void;
}

const DEFAULTS: Required<WebSocketEndpointLimits> = {
  ...WEB_SOCKET_LIMITS,
  frameBytesMax: FRAME_BYTES_MAX,
  levelsMax: LEVELS_MAX,
  handshakeMs: 30_000,
  connectionsMax: 10_000,
};

/** When a client that was refused for want of room may try again, in seconds. */
const RETRY_AFTER_S = 5;

/**
 * The WebSocket door of an ACP server: turns upgrade requests into connections, one JSON-RPC message a
 * text frame (R-WS-01 to R-WS-09). It knows no HTTP server and no credentials: whoever calls
 * {@link handleUpgrade} has routed and authenticated the request.
 */
export class AcpWebSocketEndpoint<Context> {
  readonly #accept: AcceptConnection<Context>;
  readonly #limits: Required<WebSocketEndpointLimits>;
  readonly #log: (line: string) => void;
  readonly #frameBytesMaxOf: (context: Context) => number | undefined;
  /** One for each largest message, since `ws` knows no other way to bound it. */
  readonly #servers = new Map<number, Server<typeof NodeSocket>>();
  readonly #sockets = new Set<IncomingSocket<Context>>();
  readonly #ids = new WeakMap<IncomingMessage, string>();
  #ignoredCount = 0;
  #closing: Promise<void> | undefined;

  /** @throws RangeError when a limit is not valid. */
  constructor({ accept, limits, frameBytesMaxOf, log }: WebSocketEndpointOptions<Context>) {
    this.#accept = accept;
    this.#limits = completeLimits(DEFAULTS, limits);
    checkFrameBytesMax(this.#limits.frameBytesMax);
    this.#log = log ?? (() => undefined);
    this.#frameBytesMaxOf = frameBytesMaxOf ?? (() => undefined);
  }

  /** Connections whose sockets are not gone yet. */
  get connectionCount(): number {
    return this.#sockets.size;
  }

  /** Messages that were ignored because they were not text (R-WS-04), of all connections so far. */
  get ignoredCount(): number {
    return this.#ignoredCount;
  }

  /**
   * Takes an `upgrade` event of an HTTP server over. Always answers it: with the socket, or with an HTTP
   * status if the request is not valid (400, 405) or there is no room (503).
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, context: Context): void {
    const refusal = this.#refusal();
    if (refusal !== undefined) {
      refuseUpgrade(socket, 503, refusal, { 'Retry-After': String(RETRY_AFTER_S) });
      return;
    }
    const id = randomUUID();
    this.#ids.set(request, id);
    const bytesMax = Math.min(
      this.#limits.frameBytesMax,
      this.#frameBytesMaxOf(context) ?? Infinity,
    );
    this.#serverFor(bytesMax).handleUpgrade(request, socket, head, (opened) => {
      opened.attach(socket, bytesMax);
      this.#take(id, opened, context);
    });
  }

  /**
   * Closes the connections that the predicate names, at once: nothing more is sent to them, and what they
   * sent and nobody has taken is dropped. Their owners see the transport fail as `revoked`.
   *
   * @returns how many there were.
   * @throws RangeError when the code is none that may be sent.
   */
  closeWhere(
    predicate: (connection: IncomingConnection<Context>) => boolean,
    code: number,
    reason: string,
  ): number {
    checkCloseCode(code);
    const closed = [...this.#sockets].filter(({ connection }) => predicate(connection));
    for (const socket of closed) socket.revoke({ closeCode: code, reason });
    return closed.length;
  }

  /**
   * Takes no more connections and closes those there are with 1001, after what was sent on them before.
   * Resolves when all are gone, at the latest after `graceMs`.
   */
  close(graceMs = this.#limits.closeMs): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    const closing = { closeCode: CloseCode.GoingAway, reason: 'the server is shutting down' };
    await Promise.all([...this.#sockets].map((socket) => socket.close(closing, graceMs)));
  }

  #serverFor(frameBytesMax: number): Server<typeof NodeSocket> {
    const known = this.#servers.get(frameBytesMax);
    if (known !== undefined) return known;
    checkFrameBytesMax(frameBytesMax);
    const server = new WebSocketServer({
      noServer: true,
      WebSocket: NodeSocket,
      clientTracking: false,
      // Compression costs memory for every connection, and updates are small.
      perMessageDeflate: false,
      maxPayload: frameBytesMax,
    });
    server.on('headers', (headers, request) => {
      headers.push(`${CONNECTION_ID_HEADER}: ${this.#ids.get(request)}`);
    });
    this.#servers.set(frameBytesMax, server);
    return server;
  }

  #refusal(): string | undefined {
    if (this.#closing !== undefined) return 'The server is shutting down.';
    const { connectionsMax } = this.#limits;
    if (this.#sockets.size < connectionsMax) return undefined;
    this.#log(`an upgrade was refused: there are ${connectionsMax} WebSocket connections already`);
    return `The server has ${connectionsMax} connections and takes no more.`;
  }

  #take(id: string, opened: NodeSocket, context: Context): void {
    const socket = new IncomingSocket({
      id,
      socket: opened,
      context,
      limits: this.#limits,
      onIgnored: () => this.#ignoredCount++,
    });
    this.#sockets.add(socket);
    void socket.gone.then((failure) => {
      this.#sockets.delete(socket);
      if (failure !== undefined)
        this.#log(`the WebSocket connection ${id} ended: ${failure.message}`);
    });
    try {
      this.#accept(socket.connection);
    } catch (cause) {
      this.#log(`the WebSocket connection ${id} was not accepted: ${String(cause)}`);
      socket.revoke({ closeCode: CloseCode.InternalError, reason: 'internal error' }, cause);
    }
  }
}
