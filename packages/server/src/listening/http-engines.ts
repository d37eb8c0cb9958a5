import { createServer as createHttp1, type IncomingMessage, type Server } from 'node:http';
import {
  createServer as createHttp2,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerLimits } from '../server-limits.ts';
import { limitBodyTime } from './body-deadline.ts';
import type { WireProtocol } from './detect-protocol.ts';
import { Http2Sessions } from './http2-sessions.ts';

/** Answers requests, of either protocol: Node gives those of HTTP/2 the same shape. */
export type RequestHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** Takes over a connection that asks for WebSocket. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** How often Node looks for requests that take too long, as a part of the limit. */
const CHECKS_PER_LIMIT = 4;

/**
 * The two servers that speak HTTP on connections which somebody else accepts. Neither listens itself:
 * so cleartext and TLS, HTTP/1.1 and HTTP/2 share one port, one handler and the same limits.
 */
export class HttpEngines {
  readonly http1: Server;
  readonly #http2: Http2Server;
  readonly #sessions: Http2Sessions;
  #isDraining = false;

  constructor(limits: ServerLimits) {
    const { requestTimeoutMs, idleSocketMs } = limits;
    const headersTimeoutMs = Math.min(limits.headersTimeoutMs, requestTimeoutMs);
    this.http1 = createHttp1({
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: idleSocketMs,
      maxHeaderSize: limits.headerBytesMax,
      connectionsCheckingInterval: Math.ceil(headersTimeoutMs / CHECKS_PER_LIMIT),
      requireHostHeader: true,
      // Everything else that a client may want to upgrade to, such as h2c, is answered in HTTP/1.1.
      shouldUpgradeCallback: isWebSocketUpgrade,
    });
    this.#http2 = createHttp2({
      settings: {
        maxConcurrentStreams: limits.http2StreamsMax,
        maxHeaderListSize: limits.headerBytesMax,
      },
    });
    this.#sessions = new Http2Sessions(this.#http2, idleSocketMs);
    this.#http2.on('request', (request) => limitBodyTime(request, requestTimeoutMs));
  }

  /** Sets who answers; called once, before the first connection. */
  serve(onRequest: RequestHandler, onUpgrade: UpgradeHandler): void {
    // Node begins to look for slow requests when a server listens, and this one never does.
    this.http1.emit('listening');
    this.http1.on('request', onRequest).on('upgrade', onUpgrade);
    this.http1.on('request', (_request, response) => {
      response.once('close', () => {
        if (this.#isDraining) this.http1.closeIdleConnections();
      });
    });
    this.#http2.on('request', onRequest);
  }

  /** Speaks HTTP on a connection. */
  take(socket: Duplex, protocol: WireProtocol): void {
    (protocol === 'http2' ? this.#http2 : this.http1).emit('connection', socket);
  }

  /** Ends each connection as soon as nothing is under way on it. */
  drain(): void {
    this.#isDraining = true;
    this.#sessions.close();
    this.http1.closeIdleConnections();
  }

  /** Frees what the servers hold beside their connections. */
  close(): void {
    this.http1.close();
    this.#http2.close();
  }
}

/** Whether a request asks for WebSocket. */
export function isWebSocketUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}
