import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { JSON_TYPE } from '../http-header.ts';
import type { HttpProblem } from './http-problem.ts';

export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** One request and its response, of HTTP/1.1 or HTTP/2. */
export class HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Resolves when the response has been sent or the client has gone. */
  readonly closed: Promise<void>;
  #isClosed = false;

  constructor(request: AnyRequest, response: AnyResponse) {
    // Node's HTTP/2 requests and responses have what is used here of those of HTTP/1.1. A union of the
    // two cannot be called, because the overloads of their methods are declared separately.
    this.request = request as IncomingMessage;
    this.response = response as ServerResponse;
    // A client that goes away is no error of anybody; `close` tells of it.
    this.response.on('error', () => undefined);
    this.#isClosed = isGone(response);
    this.closed = new Promise((resolve) => {
      if (this.#isClosed) resolve();
      this.response.once('close', () => {
        this.#isClosed = true;
        resolve();
      });
    });
  }

  /** Whether nothing can be answered any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** A header of the request; undefined when it is absent or empty. */
  header(name: string): string | undefined {
    const value = this.request.headers[name.toLowerCase()];
    const text = Array.isArray(value) ? value[0] : value;
    return text === '' ? undefined : text;
  }

  /** Answers without a body. */
  sendEmpty(status: number): void {
    if (this.#isClosed) return;
    this.response.writeHead(status, { 'Content-Length': '0' });
    this.response.end();
  }

  /** Answers with JSON text. */
  sendJson(status: number, text: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#sendText(status, text, { 'Content-Type': JSON_TYPE, ...headers });
  }

  sendProblem(problem: HttpProblem): void {
    const type = 'application/problem+json; charset=utf-8';
    this.#sendText(problem.status, problem.toText(), { 'Content-Type': type, ...problem.headers });
  }

  #sendText(status: number, text: string, headers: Readonly<Record<string, string>>): void {
    if (this.#isClosed) return;
    const body = Buffer.from(text);
    this.response.writeHead(status, { ...headers, 'Content-Length': String(body.length) });
    this.response.end(body);
  }
}

/** Whether the client went away before anybody looked. */
function isGone(response: AnyResponse): boolean {
  return 'stream' in response ? response.stream.destroyed : response.destroyed;
}
