import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { INITIALIZED } from './frames.ts';

/** A request as the script sees it. */
export interface ScriptedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly response: ServerResponse;
}

/** Answers one request; false leaves it to the ordinary script. */
export type Script = (request: ScriptedRequest) => boolean | void;

/**
 * A server that does what the test says. What the script leaves to it is answered as the protocol asks:
 * initialize by a connection `c1`, other POSTs and DELETE by 202, and a GET by a stream that stays silent.
 */
export class ScriptedServer {
  readonly requests: ScriptedRequest[] = [];
  /** The streams that are open, by the session; that of the connection under the empty name. */
  readonly streams = new Map<string, ServerResponse>();
  readonly #server: Server;
  readonly #script: Script;
  #wake: (() => void)[] = [];

  private constructor(script: Script) {
    this.#script = script;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', headers } = request;
        const body = Buffer.concat(chunks).toString();
        this.#answer({ method, headers, body, response });
      });
    });
  }

  static async start(script: Script = () => false): Promise<ScriptedServer> {
    const server = new ScriptedServer(script);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/acp`;
  }

  /** The requests of a method so far. */
  of(method: string): ScriptedRequest[] {
    return this.requests.filter((request) => request.method === method);
  }

  /** The bodies that were posted behind initialize, in the order in which they arrived. */
  get posted(): string[] {
    return this.of('POST')
      .slice(1)
      .map(({ body }) => body);
  }

  /** Resolves when the condition holds, which is looked at after each request. */
  async when(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  /** Sends a block on a stream. */
  send(block: string, session = ''): void {
    this.streams.get(session)?.write(block);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(request: ScriptedRequest): void {
    this.requests.push(request);
    const { method, headers, body, response } = request;
    if (this.#script(request) === false) {
      if (method === 'GET') {
        const session = String(headers['acp-session-id'] ?? '');
        this.streams.set(session, openStream(response));
      } else if (body.includes('"initialize"')) {
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'Acp-Connection-Id': 'c1',
          'Acp-Stream-Start': 'start',
        });
        response.end(INITIALIZED);
      } else {
        response.writeHead(202).end();
      }
    }
    for (const wake of this.#wake.splice(0)) wake();
  }
}

/** Begins an event stream. */
export function openStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.flushHeaders();
  return response;
}
