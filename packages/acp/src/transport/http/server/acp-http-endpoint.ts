import type { AcceptConnection, IncomingConnection } from '../../incoming-connection.ts';
import { completeLimits } from '../../complete-limits.ts';
import { systemClock, type Clock } from '../../../clock/clock.ts';
import { pause } from '../../../clock/pause.ts';
import { HttpHeader } from '../http-header.ts';
import { assertTakesEvents, handleGet } from './handle-get.ts';
import { handleInitialize } from './handle-initialize.ts';
import { handlePost } from './handle-post.ts';
import type { HttpSurroundings } from './http-connection.ts';
import { HttpConnections } from './http-connections.ts';
import { HttpExchange, type AnyRequest, type AnyResponse } from './http-exchange.ts';
import { DEFAULT_HTTP_LIMITS, type AcpHttpLimits } from './http-limits.ts';
import { HttpProblem } from './http-problem.ts';
import { discardRest, RequestAborted } from './read-body.ts';
import { readMessage } from './read-message.ts';

/** What an {@link AcpHttpEndpoint} is made of. */
export interface AcpHttpEndpointOptions<Context> {
  /** Takes each new connection in. */
  readonly accept: AcceptConnection<Context>;
  /** Whether two requests come from the same one. Default: whether the contexts are identical. */
  readonly isSame?: (a: Context, b: Context) => boolean;
  readonly limits?: Partial<AcpHttpLimits>;
  /** The largest body of this client, in bytes, where it is less than `frameBytesMax`. */
  readonly frameBytesMaxOf?: (context: Context) => number | undefined;
  /** Told in one line of what no client is told. */
  readonly log?: (line: string) => void;
  readonly clock?: Clock;
}

/**
 * The server's half of ACP over Streamable HTTP: one address that takes POST, GET and DELETE, on HTTP/1.1 and
 * HTTP/2 alike (R-HTTP-01, R-HTTP-03). Its owner has routed each request here and knows who sends it.
 */
export class AcpHttpEndpoint<Context> {
  readonly #accept: AcceptConnection<Context>;
  readonly #surroundings: HttpSurroundings;
  readonly #frameBytesMaxOf: (context: Context) => number | undefined;
  readonly #connections: HttpConnections<Context>;

  /** @throws RangeError when a limit is not valid. */
  constructor(options: AcpHttpEndpointOptions<Context>) {
    const { accept, isSame = Object.is, limits, log, clock = systemClock } = options;
    this.#accept = accept;
    this.#frameBytesMaxOf = options.frameBytesMaxOf ?? (() => undefined);
    this.#surroundings = {
      limits: completeLimits(DEFAULT_HTTP_LIMITS, limits),
      clock,
      log: log ?? (() => undefined),
    };
    this.#connections = new HttpConnections(this.#surroundings, isSame);
  }

  /** Connections that are open now. */
  get connectionCount(): number {
    return this.#connections.size;
  }

  /** Event streams that are read now. */
  get openStreamCount(): number {
    return this.#connections.openStreamCount;
  }

  /**
   * Serves one request, whatever it is. Resolves, never rejects, when its response has ended.
   *
   * @param context who sends it.
   */
  async handle(request: AnyRequest, response: AnyResponse, context: Context): Promise<void> {
    const exchange = new HttpExchange(request, response);
    if (exchange.isClosed) return;
    try {
      await this.#handle(exchange, context);
    } catch (error) {
      this.#refuse(exchange, error);
    }
    await exchange.closed;
  }

  /**
   * Ends the endpoint: no connection comes in any more, and the present ones get as long as `graceMs` for
   * what is being answered. Resolves when all have ended.
   */
  async close(graceMs: number): Promise<void> {
    this.#connections.drain();
    const connections = this.#connections.list();
    for (const connection of connections) connection.endInput();
    const abort = new AbortController();
    const ended = Promise.all(connections.map((connection) => connection.ended));
    await Promise.race([ended, pause(this.#surroundings.clock, graceMs, abort.signal)]);
    abort.abort();
    for (const connection of this.#connections.list()) connection.end();
  }

  /** Ends the connections that `predicate` is true of, with their streams, at once. @returns how many. */
  closeWhere(predicate: (connection: IncomingConnection<Context>) => boolean): number {
    const chosen = this.#connections.list().filter(predicate);
    for (const connection of chosen) connection.end();
    return chosen.length;
  }

  async #handle(exchange: HttpExchange, context: Context): Promise<void> {
    switch (exchange.request.method) {
      case 'POST':
        return this.#handlePost(exchange, context);
      case 'GET': {
        assertTakesEvents(exchange);
        const connection = this.#connections.find(exchange, context);
        return handleGet(exchange, connection, this.#surroundings);
      }
      case 'DELETE':
        this.#connections.find(exchange, context).end();
        exchange.sendEmpty(202);
        return;
      default: {
        const headers = { Allow: 'POST, GET, DELETE' };
        const detail = 'This address takes POST, GET and DELETE.';
        throw new HttpProblem(405, 'method_not_allowed', detail, { headers });
      }
    }
  }

  async #handlePost(exchange: HttpExchange, context: Context): Promise<void> {
    const { limits } = this.#surroundings;
    const bytesMax = Math.min(limits.frameBytesMax, this.#frameBytesMaxOf(context) ?? Infinity);
    const message = await readMessage(exchange, { ...limits, frameBytesMax: bytesMax });
    if (message === undefined) return;
    const isInitialize = message.kind === 'request' && message.method === 'initialize';
    if (!isInitialize) {
      const connection = this.#connections.find(exchange, context);
      return handlePost(exchange, message, connection, this.#surroundings);
    }
    if (exchange.header(HttpHeader.connectionId) !== undefined) {
      const detail = 'A connection is initialised once. Leave out its id to open another one.';
      throw new HttpProblem(400, 'already_initialized', detail);
    }
    const connection = this.#connections.create(context);
    await handleInitialize(exchange, message, connection, this.#accept, this.#surroundings);
  }

  #refuse(exchange: HttpExchange, error: unknown): void {
    if (error instanceof RequestAborted) return;
    const { log } = this.#surroundings;
    let problem: HttpProblem;
    if (error instanceof HttpProblem) {
      problem = error;
    } else {
      log(`a request over HTTP failed: ${error instanceof Error ? error.stack : String(error)}`);
      problem = new HttpProblem(500, 'internal', 'The server has failed; its log says why.');
    }
    if (exchange.response.headersSent) exchange.response.destroy();
    else exchange.sendProblem(problem);
    discardRest(exchange.request);
  }
}
