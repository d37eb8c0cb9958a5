import type { Transport } from '../../../jsonrpc/transport.ts';
import { completeLimits } from '../../complete-limits.ts';
import { systemClock } from '../../../clock/clock.ts';
import {
  HTTP_CLIENT_LIMITS,
  type HttpClientLimits,
  type HttpClientOptions,
} from './http-client-options.ts';
import { HttpClientTransport } from './http-client-transport.ts';
import { HttpRequests } from './http-requests.ts';

/** A client's connection over HTTP. */
export interface HttpClient {
  /**
   * Begins with `initialize`: the first frame that is sent has to be one, since only its answer makes the
   * connection. `receive()` ends when the server ends the connection, and throws an HttpTransportError when
   * it fails; lost streams are resumed before that.
   */
  readonly transport: Transport;
  /** The server's id for the connection; undefined before `initialize` has been answered. */
  readonly connectionId: string | undefined;
}

/**
 * A connection to an ACP server over Streamable HTTP, by `fetch` alone, so that it works in browsers too.
 *
 * A browser opens six connections to a server that speaks HTTP/1.1, and each session takes one for its
 * stream: use HTTP/2 or `connectWebSocket` there.
 *
 * @throws RangeError when a limit is not valid.
 */
export function connectHttp(url: string, options: HttpClientOptions = {}): HttpClient {
  const { headers, cookies, fetch, poll, limits, log, clock, random } = options;
  return new HttpClientConnection(
    new HttpClientTransport({
      requests: new HttpRequests({
        url,
        fetch: fetch ?? ((address, init) => globalThis.fetch(address, init)),
        headers: headers ?? (() => ({})),
        cookies,
      }),
      isPoll: poll ?? false,
      limits: completeLimits<HttpClientLimits>(HTTP_CLIENT_LIMITS, limits),
      clock: clock ?? systemClock,
      random: random ?? Math.random,
      log: log ?? (() => undefined),
    }),
  );
}

class HttpClientConnection implements HttpClient {
  readonly transport: HttpClientTransport;

  constructor(transport: HttpClientTransport) {
    this.transport = transport;
  }

  get connectionId(): string | undefined {
    return this.transport.connectionId;
  }
}
