import type { ClientRequest, IncomingMessage } from 'node:http';
import type { HttpFetchResponse } from './http-fetch.ts';
import { NodeBody } from './node-body.ts';

/** How long a {@link NodeExchange} waits for its server. */
export interface ExchangeLimits {
  readonly connectMs: number;
  /** Also the timeout that the request was made with. */
  readonly silenceMs: number;
}

/** One request of `node:http` and its answer. */
export class NodeExchange {
  readonly #request: ClientRequest;
  #body: NodeBody | undefined;

  /** @param request has not been sent yet. */
  constructor(request: ClientRequest) {
    this.#request = request;
  }

  /** Sends the request. Resolves when the header of its answer has come; rejects when none comes. */
  send(body: string | undefined): Promise<HttpFetchResponse> {
    return new Promise((resolve, reject) => {
      this.#request.on('response', (message) => {
        this.#body = new NodeBody(message);
        resolve(toResponse(message, this.#body));
      });
      // Behind the header, the body tells of it.
      this.#request.on('error', reject);
      this.#request.on('close', () => {
        if (this.#body === undefined) reject(new Error('the connection ended without an answer'));
      });
      this.#request.end(body);
    });
  }

  /** Ends the request, and the reading of its answer, when the signal is aborted. */
  endWith(signal: AbortSignal): void {
    const onAbort = (): void => this.#end(reasonOf(signal));
    signal.addEventListener('abort', onAbort);
    // A signal may be for much more than one request.
    this.#request.on('close', () => signal.removeEventListener('abort', onAbort));
  }

  /** Does the same when the server takes too long. */
  bound({ connectMs, silenceMs }: ExchangeLimits): void {
    this.#request.on('socket', (socket) => {
      if (!socket.connecting) return;
      socket.setTimeout(connectMs);
      socket.once('connect', () => socket.setTimeout(silenceMs));
    });
    this.#request.on('timeout', () => {
      if (this.#request.socket?.connecting === true) {
        this.#end(new Error(`the server was not reached in ${connectMs} ms`));
      } else if (this.#body?.isPaused !== true) {
        this.#end(new Error(`the server said nothing for ${silenceMs} ms`));
      }
    });
  }

  #end(reason: Error): void {
    if (this.#body === undefined) this.#request.destroy(reason);
    else this.#body.abort(reason);
  }
}

/** The reason of an aborted signal as an error. */
export function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
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
