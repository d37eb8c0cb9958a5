import type { Transport } from '../../jsonrpc/transport.ts';
import { completeLimits } from '../complete-limits.ts';
import { createSocketPort } from './create-socket-port.ts';
import { SocketConnection } from './socket-connection.ts';
import { WebSocketError } from './web-socket-error.ts';
import { WEB_SOCKET_LIMITS, type WebSocketLimits } from './web-socket-limits.ts';
import type { WebSocketLike } from './web-socket-like.ts';
import { calledOff, whenOpen } from './when-open.ts';

/** How a client connects. */
export interface WebSocketOptions extends WebSocketLimits {
  /**
   * Makes the socket; by default the platform's own `WebSocket`. With `openNodeSocket` of
   * `@signalbox/acp/node-client` a Node client can send headers, learns the status of a refusal and
   * notices a server that has gone.
   */
  readonly createSocket?: (url: string) => WebSocketLike;
  /** How long opening may take, in ms. Default 10 s. */
  readonly handshakeMs?: number;
  /** Calls the attempt off. It means nothing any more once the socket is open. */
  readonly signal?: AbortSignal;
}

/** An open connection of a client. */
export interface WebSocketClient {
  readonly transport: Transport;
  /** The server's id for the connection; undefined where the platform hides the response's headers. */
  readonly connectionId?: string;
}

const DEFAULTS = { ...WEB_SOCKET_LIMITS, handshakeMs: 10_000 };

/**
 * Connects to an ACP server over WebSocket. The transport's `receive()` ends when the server closes the
 * connection in the ordinary way, and throws a {@link WebSocketError} when it ended otherwise.
 *
 * @throws WebSocketError when there is no connection. After `refused` its `status` tells whether it is
 *   worth trying again; `not_created` never is.
 */
export async function connectWebSocket(
  url: string,
  options: WebSocketOptions = {},
): Promise<WebSocketClient> {
  const { createSocket = createPlatformSocket, signal } = options;
  const { handshakeMs, ...limits } = completeLimits<ClientLimits>(DEFAULTS, options);
  const name = withoutSecrets(url);
  if (signal?.aborted === true) throw calledOff(name, signal);
  const socket = create(url, name, createSocket);
  const port = createSocketPort(socket);
  // It listens before the socket opens, so that nothing that comes right behind the opening is missed.
  const connection = new SocketConnection(port, limits);
  try {
    const { connectionId } = await whenOpen(socket, name, { handshakeMs, signal });
    connection.opened();
    const { transport } = connection;
    return connectionId === undefined ? { transport } : { transport, connectionId };
  } catch (error) {
    port.terminate();
    throw error;
  }
}

type ClientLimits = WebSocketLimits & { readonly handshakeMs?: number };

function create(
  url: string,
  name: string,
  createSocket: (url: string) => WebSocketLike,
): WebSocketLike {
  try {
    return createSocket(url);
  } catch (cause) {
    // The cause's text may hold the whole address.
    throw new WebSocketError('not_created', `no WebSocket to ${name} can be made`, { cause });
  }
}

function createPlatformSocket(url: string): WebSocketLike {
  return new WebSocket(url);
}

/** The address as it may stand in a log: what is in front of the host or behind the path may be secret. */
function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return 'the server';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
