import { HttpHeader } from '../http-header.ts';
import { HttpConnection, type HttpSurroundings } from './http-connection.ts';
import type { HttpExchange } from './http-exchange.ts';
import { HttpProblem } from './http-problem.ts';

/** When a client that was refused for want of room may try again, in seconds. */
const RETRY_AFTER_S = '5';

/** The connections of an endpoint by their ids. Each belongs to who opened it. */
export class HttpConnections<Context> {
  readonly #surroundings: HttpSurroundings;
  readonly #isSame: (a: Context, b: Context) => boolean;
  readonly #byId = new Map<string, HttpConnection<Context>>();
  #isDraining = false;

  constructor(surroundings: HttpSurroundings, isSame: (a: Context, b: Context) => boolean) {
    this.#surroundings = surroundings;
    this.#isSame = isSame;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Streams that somebody reads. */
  get openStreamCount(): number {
    let count = 0;
    for (const connection of this.#byId.values()) count += connection.streams.openCount;
    return count;
  }

  /** @throws HttpProblem 503 when there are too many, or the endpoint is being closed. */
  create(context: Context): HttpConnection<Context> {
    const headers = { 'Retry-After': RETRY_AFTER_S };
    if (this.#isDraining) {
      const detail = 'The server is being shut down. Try again later.';
      throw new HttpProblem(503, 'draining', detail, { headers });
    }
    const { connectionsMax } = this.#surroundings.limits;
    if (this.#byId.size >= connectionsMax) {
      const detail = `All ${connectionsMax} connections are in use. Try again later.`;
      throw new HttpProblem(503, 'too_many_connections', detail, { headers });
    }
    const onEnd = (id: string): void => void this.#byId.delete(id);
    const connection = new HttpConnection(context, this.#surroundings, onEnd);
    this.#byId.set(connection.id, connection);
    return connection;
  }

  /**
   * The connection that a request names. That of somebody else is as unknown as any other (B171).
   *
   * @throws HttpProblem 400 without an id, 404 when it is unknown (R-HTTP-09).
   */
  find(exchange: HttpExchange, context: Context): HttpConnection<Context> {
    const id = exchange.header(HttpHeader.connectionId);
    if (id === undefined) {
      const detail = `The header ${HttpHeader.connectionId} is missing. Send initialize first.`;
      throw new HttpProblem(400, 'connection_id_missing', detail);
    }
    const connection = this.#byId.get(id);
    if (connection !== undefined && this.#isSame(connection.context, context)) return connection;
    const detail = 'There is no such connection, or no more. Start anew with initialize.';
    throw new HttpProblem(404, 'connection_unknown', detail);
  }

  /** All connections at this moment. */
  list(): HttpConnection<Context>[] {
    return [...this.#byId.values()];
  }

  /** Refuses new connections from now on. */
  drain(): void {
    this.#isDraining = true;
  }
}
