import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, parseJson, stringAt } from '../../../json/json.ts';
import { HeaderName, JSON_TYPE } from '../../../remote/header-name.ts';
import { headerOf, type HttpExchange } from '../../../wire/http-exchange.ts';
import { HttpSide, type HttpSideParts } from './http-side.ts';

/** How much later a POST is accepted whose message is delivered at once. */
const LATE_MS = 1000;

/** What the door of an endpoint needs for each connection. */
export type DoorParts = Omit<HttpSideParts, 'id'> & {
  /** The cookie that every client has to return, as the value of `Set-Cookie`. */
  readonly cookie: string;
};

/**
 * Streamable HTTP as the kit offers it to a client under test. It lets nearly everything pass, since what is
 * wrong with a request is found in the log, and what comes after shall be seen as well.
 */
export class HttpDoor {
  readonly #parts: DoorParts;
  readonly #sides = new Map<string, HttpSide>();

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  /** Serves a request. Never rejects: a client that breaks off is part of what is tested. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const body = await bodyOf(request);
    if (body === undefined) return;
    const exchange: HttpExchange = {
      method: request.method ?? '',
      headers: request.headers,
      body: body.toString('utf8'),
      at: performance.now(),
      answer: undefined,
    };
    this.#parts.log.exchanges.push(exchange);
    const reply = new Reply(exchange, response);
    switch (request.method) {
      case 'POST':
        return this.#post(exchange, body, reply);
      case 'GET':
        return this.#get(exchange, reply);
      case 'DELETE':
        return this.#delete(exchange, reply);
      default:
        return reply.send(405);
    }
  }

  /** Ends all connections. */
  close(): void {
    for (const side of this.#sides.values()) side.end();
  }

  async #post(exchange: HttpExchange, body: Buffer, reply: Reply): Promise<void> {
    const message = parseJson(exchange.body);
    if (!isObject(message)) return reply.send(400);
    const id = headerOf(exchange.headers, HeaderName.connection);
    const method = stringAt(message, 'method');
    if (id === undefined && method === 'initialize') return this.#begin(body, reply);
    const side = this.#side(id, reply);
    if (side === undefined) return;
    side.take(body);
    if (method !== undefined && method === this.#parts.scenario.endpoint?.acceptsLate) {
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    }
    reply.send(202);
  }

  async #begin(body: Buffer, reply: Reply): Promise<void> {
    const id = randomUUID();
    const side = new HttpSide({ ...this.#parts, id });
    this.#sides.set(id, side);
    const answer = await side.begin(body);
    const headers = {
      'content-type': JSON_TYPE,
      'set-cookie': this.#parts.cookie,
      [HeaderName.connection]: id,
    };
    reply.send(200, answer, headers);
  }

  #get({ headers }: HttpExchange, reply: Reply): void {
    const side = this.#side(headerOf(headers, HeaderName.connection), reply);
    if (side !== undefined) side.open(headerOf(headers, HeaderName.session), reply.stream());
  }

  #delete({ headers }: HttpExchange, reply: Reply): void {
    const side = this.#side(headerOf(headers, HeaderName.connection), reply);
    if (side === undefined) return;
    this.#sides.delete(side.id);
    side.end();
    reply.send(202);
  }

  /** The connection of this id. A request without one is answered. */
  #side(id: string | undefined, reply: Reply): HttpSide | undefined {
    if (id === undefined) reply.send(400);
    else if (!this.#sides.has(id)) reply.send(404);
    else return this.#sides.get(id);
    return undefined;
  }
}

/** The answer to a request, which is logged as it is given. */
class Reply {
  readonly #exchange: HttpExchange;
  readonly #response: ServerResponse;

  constructor(exchange: HttpExchange, response: ServerResponse) {
    this.#exchange = exchange;
    this.#response = response;
  }

  send(status: number, body = '', headers: Readonly<Record<string, string>> = {}): void {
    this.#exchange.answer = { status, headers, body, at: performance.now() };
    this.#response.writeHead(status, headers).end(body);
  }

  stream(): ServerResponse {
    this.#exchange.answer = { status: 200, headers: {}, body: '', at: performance.now() };
    return this.#response;
  }
}

/** The whole body; undefined when the client breaks off. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}
