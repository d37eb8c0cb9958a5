import type { Agent, IncomingMessage } from 'node:http';
import { CONNECTION_ID_HEADER } from '../connection-id-header.ts';
import { NodeSocket } from './node-socket.ts';
import { checkFrameBytesMax, FRAME_BYTES_MAX } from './web-socket-limits.ts';

/** How a Node client opens a socket. */
export interface NodeSocketOptions {
  /** Headers of the upgrade request, for example `Authorization` and `Cookie` (R-WS-06). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Largest message that is taken in, in bytes. Default 64 MiB; beyond it the socket closes with 1009. */
  readonly frameBytesMax?: number;
  /** For proxies and certificates of one's own. */
  readonly agent?: Agent;
  /** Called with the headers of the response that opens the socket. */
  readonly onUpgrade?: (upgrade: UpgradeHeaders) => void;
}

/** What the response that opens a socket says. */
export interface UpgradeHeaders {
  /** The server's id for the connection (R-WS-01). */
  readonly connectionId: string | undefined;
  /** The values of `Set-Cookie`, to be kept for the next connection (R-HTTP-21). */
  readonly setCookies: readonly string[];
}

/**
 * Opens a socket that sends headers and tells of a refusal, for `createSocket` of `connectWebSocket`. It
 * follows no redirect, so that credentials reach no other server.
 *
 * @throws RangeError when a limit is not valid; SyntaxError when the URL is not.
 */
export function openNodeSocket(url: string, options: NodeSocketOptions = {}): NodeSocket {
  const { headers = {}, frameBytesMax = FRAME_BYTES_MAX, agent, onUpgrade } = options;
  checkFrameBytesMax(frameBytesMax);
  const socket = new NodeSocket(url, [], {
    headers: { ...headers },
    maxPayload: frameBytesMax,
    // Compression costs memory for every connection, and updates are small.
    perMessageDeflate: false,
    ...(agent === undefined ? {} : { agent }),
  });
  socket.once('upgrade', (response: IncomingMessage) => {
    socket.attach(response.socket, frameBytesMax);
    const connectionId = response.headers[CONNECTION_ID_HEADER.toLowerCase()];
    onUpgrade?.({
      connectionId: typeof connectionId === 'string' ? connectionId : undefined,
      setCookies: response.headers['set-cookie'] ?? [],
    });
  });
  return socket;
}
