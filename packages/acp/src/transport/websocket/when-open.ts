import { CONNECTION_ID_HEADER } from '../connection-id-header.ts';
import { isWsSocket, OPEN, type ResponseLike, type WebSocketLike } from './web-socket-like.ts';
import { WebSocketError, type WebSocketErrorDetails } from './web-socket-error.ts';

/** How long a socket may take to open, and who may call it off. */
export interface OpeningBounds {
  readonly handshakeMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What is known of a socket that has opened. */
export interface Opened {
  /** The server's id for the connection, if the socket shows the headers of the response. */
  readonly connectionId?: string;
}

/**
 * Resolves when the socket is open.
 *
 * @param name how to call the server in errors.
 * @throws WebSocketError when it does not open; the socket should then be closed.
 */
export async function whenOpen(
  socket: WebSocketLike,
  name: string,
  { handshakeMs, signal }: OpeningBounds,
): Promise<Opened> {
  const { promise, resolve, reject } = Promise.withResolvers<Opened>();
  watch(socket, name, resolve, reject);
  const timer = setTimeout(() => {
    reject(new WebSocketError('timeout', `${name} did not open within ${handshakeMs} ms`));
  }, handshakeMs);
  const onAbort = (): void => reject(calledOff(name, signal));
  signal?.addEventListener('abort', onAbort);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The error of an attempt whose signal was aborted. */
export function calledOff(name: string, signal: AbortSignal | undefined): WebSocketError {
  const message = `the connection to ${name} was called off`;
  return new WebSocketError('aborted', message, { cause: signal?.reason as unknown });
}

function watch(
  socket: WebSocketLike,
  name: string,
  resolve: (opened: Opened) => void,
  reject: (error: WebSocketError) => void,
): void {
  const unreachable = (details?: WebSocketErrorDetails): void => {
    const because = details?.cause instanceof Error ? ` (${details.cause.message})` : '';
    reject(new WebSocketError('unreachable', `${name} cannot be reached${because}`, details));
  };
  if (socket.readyState === OPEN) resolve({});
  if (isWsSocket(socket)) {
    let opened: Opened = {};
    socket.on('upgrade', ({ headers }) => {
      const connectionId = headers[CONNECTION_ID_HEADER.toLowerCase()];
      if (typeof connectionId === 'string') opened = { connectionId };
    });
    socket.on('open', () => resolve(opened));
    socket.on('unexpected-response', (_request, response) => reject(refusal(name, response)));
    socket.on('error', (cause) => unreachable({ cause }));
    socket.on('close', (closeCode, reason) => unreachable({ closeCode, reason: String(reason) }));
    return;
  }
  socket.addEventListener('open', () => resolve({}));
  socket.addEventListener('error', (event) => {
    const cause = 'error' in event ? event.error : undefined;
    unreachable(cause === undefined ? {} : { cause });
  });
  socket.addEventListener('close', ({ code, reason }) => {
    unreachable({ closeCode: code, reason });
  });
}

function refusal(name: string, response: ResponseLike): WebSocketError {
  const status = response.statusCode ?? 0;
  const message = `${name} refused the connection with HTTP status ${status}`;
  const retryAfter = Number(response.headers['retry-after']);
  return new WebSocketError('refused', message, {
    status,
    // The header may also hold a date, which is rare enough to be left out.
    ...(Number.isFinite(retryAfter) ? { retryAfterMs: retryAfter * 1000 } : {}),
  });
}
