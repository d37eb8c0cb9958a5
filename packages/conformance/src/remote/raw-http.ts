import { request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { createCookieJar } from '@signalbox/acp/node-client';
import { EndedError, SilentError } from '../kit-client/wait-errors.ts';
import { timed, TIMED_OUT } from '../process/timed.ts';
import { headerOf, type AnsweredExchange, type HttpExchange } from '../wire/http-exchange.ts';
import type { WireLog } from '../wire/wire-log.ts';
import { httpUrl, type RemoteEndpoint } from './endpoint.ts';
import { EventReader } from './event-reader.ts';
import { HeaderName, isEventStream } from './header-name.ts';

/** How long the end of a connection may take when nothing depends on it. */
const STOP_MS = 1000;

/** A request as it is to be sent, legal or not. */
export interface Question {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer, and the stream that it opened if it did. */
export interface Opened {
  readonly exchange: AnsweredExchange;
  readonly reader: EventReader | undefined;
}

/**
 * Plain HTTP requests to one endpoint, each over a connection of its own, so that one that breaks says
 * nothing of another. It adds the endpoint's headers and the cookies that it was given, and logs all.
 */
export class RawHttp {
  readonly log: WireLog;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #cookies = createCookieJar();
  readonly #open = new Set<ClientRequest>();
  /** Connections that the endpoint has made for these requests. */
  readonly #made = new Set<string>();

  constructor(endpoint: RemoteEndpoint, log: WireLog) {
    this.log = log;
    this.#url = httpUrl(endpoint);
    this.#headers = endpoint.headers ?? {};
  }

  /**
   * Sends a request and reads the whole answer; of an event stream only the head.
   *
   * @throws SilentError when there is no whole answer in time; EndedError when the connection breaks.
   */
  async ask(question: Question, timeoutMs: number): Promise<AnsweredExchange> {
    const { exchange, reader } = await this.open(question, timeoutMs);
    reader?.close();
    return exchange;
  }

  /** The same for a stream, which stays open. @throws SilentError, EndedError */
  async open(question: Question, timeoutMs: number): Promise<Opened> {
    const headers = await this.#headersOf(question);
    const exchange = this.#begin(question);
    const sent = this.#send(question, headers);
    const opened = await timed(this.#read(sent, exchange), timeoutMs);
    if (opened !== TIMED_OUT) return opened;
    sent.destroy();
    throw new SilentError(`no answer to the ${question.method} within ${timeoutMs} ms`);
  }

  /** Breaks everything off that is still open. */
  close(): void {
    for (const request of this.#open) request.destroy();
  }

  /** Ends the connections that were made, as far as they are not ended yet, and all requests. */
  async stop(): Promise<void> {
    const ended = [...this.#made].map((id) => {
      const question = { method: 'DELETE', headers: { [HeaderName.connection]: id } };
      return this.ask(question, STOP_MS).catch(() => undefined);
    });
    await Promise.all(ended);
    this.close();
  }

  #begin({ method, headers = {}, body = '' }: Question): HttpExchange {
    const exchange: HttpExchange = {
      method,
      headers: lowerCased(headers),
      body: typeof body === 'string' ? body : Buffer.from(body).toString('utf8'),
      at: performance.now(),
      answer: undefined,
    };
    this.log.exchanges.push(exchange);
    return exchange;
  }

  async #headersOf({ headers, body }: Question): Promise<Record<string, string>> {
    const given = { ...lowerCased(this.#headers), ...lowerCased(headers ?? {}) };
    const cookies = [given['cookie'], await this.#cookies.getCookieString(this.#url.href)];
    const cookie = cookies.filter((each) => each !== undefined && each !== '').join('; ');
    return {
      ...given,
      ...(cookie === '' ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    };
  }

  #send({ method, body }: Question, headers: Record<string, string>): ClientRequest {
    const request = this.#url.protocol === 'https:' ? requestSecure : requestPlain;
    const sent = request(this.#url, { method, agent: false, headers });
    this.#open.add(sent);
    sent.once('close', () => this.#open.delete(sent));
    sent.end(body);
    return sent;
  }

  async #read(sent: ClientRequest, exchange: HttpExchange): Promise<Opened> {
    const response = await responseTo(sent);
    const { statusCode: status = 0, headers } = response;
    const at = performance.now();
    const session = headerOf(exchange.headers, HeaderName.session);
    // A body may never end where an event stream was to come; what its head says is known already.
    exchange.answer = { status, headers, body: '', at };
    const reader = isEventStream(headers)
      ? new EventReader(response, session, this.log)
      : undefined;
    const body = reader === undefined && status !== 101 ? await textOf(response) : '';
    for (const cookie of headers['set-cookie'] ?? []) {
      await this.#cookies.setCookie(cookie, this.#url.href);
    }
    const made = headerOf(headers, HeaderName.connection);
    if (made !== undefined) this.#made.add(made);
    const answer = { status, headers, body, at };
    return { exchange: Object.assign(exchange, { answer }), reader };
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    // An answer other than the one that was asked for, such as a WebSocket.
    sent.once('upgrade', (response: IncomingMessage, socket) => {
      socket.destroy();
      resolve(response);
    });
    // Stays, since a connection may also break behind its answer.
    sent.on('error', (error) => reject(new EndedError(`the connection broke: ${error.message}`)));
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    throw new EndedError(`the connection broke within an answer: ${(error as Error).message}`);
  }
}
