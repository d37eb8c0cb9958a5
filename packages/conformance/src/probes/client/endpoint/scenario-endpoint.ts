import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RemoteKind } from '../../../transport-kind.ts';
import { WireLog } from '../../../wire/wire-log.ts';
import type { Scenario } from '../scenario.ts';
import { HttpDoor, type DoorParts } from './http-door.ts';
import { SocketDoor } from './socket-door.ts';

const PATH = '/acp';
const COOKIE = 'signalbox-check=affinity; Path=/; HttpOnly; SameSite=Lax';

/** What an endpoint is opened for. */
export interface EndpointParts {
  readonly scenario: Scenario;
  /** The transport that it offers; the other one is refused. */
  readonly transport: RemoteKind;
  /** How long the client may take to answer, in ms. */
  readonly answerMs: number;
  /** Takes one line of the report. */
  readonly report: (line: string) => void;
}

/** An endpoint on this machine at which a scripted agent plays one scenario with whoever connects. */
export class ScenarioEndpoint {
  readonly transport: RemoteKind;
  readonly log: WireLog;
  readonly #server: Server;
  readonly #http: HttpDoor;
  readonly #sockets: SocketDoor;

  private constructor({ transport, ...parts }: EndpointParts) {
    this.transport = transport;
    this.log = new WireLog();
    const doorParts: DoorParts = { ...parts, log: this.log, cookie: COOKIE };
    this.#http = new HttpDoor(doorParts);
    this.#sockets = new SocketDoor(doorParts);
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const refusal = this.#isHere(request) ? (transport === 'http' ? 405 : undefined) : 404;
      this.#sockets.upgrade(request, socket, head, refusal);
    });
  }

  /** Opens one on a free port. */
  static async open(parts: EndpointParts): Promise<ScenarioEndpoint> {
    const endpoint = new ScenarioEndpoint(parts);
    endpoint.#server.listen(0, '127.0.0.1');
    await once(endpoint.#server, 'listening');
    return endpoint;
  }

  /** The address for the client: ws or http, as it offers. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.transport === 'websocket' ? 'ws' : 'http'}://127.0.0.1:${port}${PATH}`;
  }

  /** Ends all connections and the server. */
  async close(): Promise<void> {
    this.#http.close();
    this.#sockets.close();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#isHere(request)) response.writeHead(404).end();
    else if (this.transport === 'http') await this.#http.serve(request, response);
    else this.#refuse(request, response);
  }

  /** A server that offers WebSocket only still gives a cookie, which has to come back with the upgrade. */
  #refuse(request: IncomingMessage, response: ServerResponse): void {
    const headers = { 'set-cookie': COOKIE };
    this.log.exchanges.push({
      method: request.method ?? '',
      headers: request.headers,
      body: '',
      at: performance.now(),
      answer: { status: 405, headers, body: '', at: performance.now() },
    });
    response.writeHead(405, headers).end();
  }

  #isHere({ url }: IncomingMessage): boolean {
    return url?.split('?')[0] === PATH;
  }
}
