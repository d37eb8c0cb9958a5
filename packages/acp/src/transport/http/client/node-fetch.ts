import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { HttpFetch, HttpFetchResponse } from './http-fetch.ts';
import { NodeBody } from './node-body.ts';
import { NodeTargets } from './node-targets.ts';

/** How a Node program sends its requests. */
export interface NodeFetchOptions {
  /**
   * Makes the connections and keeps them, for proxies and certificates of one's own: an agent of
   * `node:https` when the address begins so. Each event stream takes one of its sockets.
   */
  readonly agent?: Agent;
  /** How long connecting may take, in ms. Default 10 s. */
  readonly connectMs?: number;
  /** How long a request may wait for the next sign of its answer, in ms. Default 300 s. */
  readonly silenceMs?: number;
}

/**
 * A `fetch` on `node:http` and `node:https`, for `connectHttp`: it takes a fraction of the time that Node's own
 * needs for its web streams. It behaves the same: connections are kept for the next request and do not
 * keep the process alive, certificates are checked, redirections are not followed, and the proxies
 * of `--use-env-proxy` are used. It keeps no cookies and asks for no compression.
 */
export function createNodeFetch(options: NodeFetchOptions = {}): HttpFetch {
  const { agent, connectMs = 10_000, silenceMs = 300_000 } = options;
  const targets = new NodeTargets(agent);
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) throw reasonOf(signal);
      const target = targets.find(url);
      const request = target.request({ ...target.options, timeout: silenceMs, method, headers });
      const end = awaitAnswer(request, resolve, reject);
      endWith(signal, request, end);
      boundSilence(request, { connectMs, silenceMs }, end);
      request.end(body);
    });
}

/** Settles when the request is answered. @returns ends the request, or the reading of its answer. */
function awaitAnswer(
  request: ClientRequest,
  resolve: (response: HttpFetchResponse) => void,
  reject: (error: Error) => void,
): (reason: Error) => void {
  let answer: NodeBody | undefined;
  request.on('response', (message) => {
    answer = new NodeBody(message);
    resolve(toResponse(message, answer));
  });
  // Behind the header, the body tells of it.
  request.on('error', reject);
  request.on('close', () => {
    if (answer === undefined) reject(new Error('the connection ended before the answer came'));
  });
  return (reason) => {
    if (answer === undefined) request.destroy(reason);
    else answer.abort(reason);
  };
}

function endWith(signal: AbortSignal, request: ClientRequest, end: (reason: Error) => void): void {
  const onAbort = (): void => end(reasonOf(signal));
  signal.addEventListener('abort', onAbort);
  // A signal may be for much more than one request.
  request.on('close', () => signal.removeEventListener('abort', onAbort));
}

/** No wait is without a limit: the request's own timeout is that of a socket where nothing happens. */
function boundSilence(
  request: ClientRequest,
  { connectMs, silenceMs }: Required<Pick<NodeFetchOptions, 'connectMs' | 'silenceMs'>>,
  end: (reason: Error) => void,
): void {
  request.on('socket', (socket) => {
    if (!socket.connecting) return;
    socket.setTimeout(connectMs);
    socket.once('connect', () => socket.setTimeout(silenceMs));
  });
  request.on('timeout', () => {
    const isConnecting = request.socket?.connecting === true;
    const what = isConnecting ? `was not reached in ${connectMs}` : `said nothing for ${silenceMs}`;
    end(new Error(`the server ${what} ms`));
  });
}

function toResponse(message: IncomingMessage, body: NodeBody): HttpFetchResponse {
  return {
    status: message.statusCode ?? 0,
    headers: {
      get(name) {
        const value = message.headers[name.toLowerCase()];
        return (Array.isArray(value) ? value.join(', ') : value) ?? null;
      },
      getSetCookie: () => message.headers['set-cookie'] ?? [],
    },
    body,
  };
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
