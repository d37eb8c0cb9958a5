import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import {
  AcpHttpEndpoint,
  type AcpHttpEndpointOptions,
  type AcpHttpLimits,
  type ConnectionOwner,
  type IncomingConnection,
} from '@signalbox/acp/server';

/** Who sends a request: what it says in the header `who`. */
export type Who = string | undefined;

/** How a stage differs from the ordinary one. */
export interface HttpStageOptions {
  readonly limits?: Partial<AcpHttpLimits>;
  readonly clock?: NonNullable<AcpHttpEndpointOptions<Who>['clock']>;
  /** What is done with a connection, beside keeping it for {@link HttpStage.nextConnection}. */
  readonly accept?: (connection: IncomingConnection<Who>) => ConnectionOwner | void;
  readonly protocol?: 'http1' | 'h2c';
  /** Changes the server before it listens. */
  readonly prepare?: (server: Server) => void;
}

/** An endpoint behind a server on loopback, with the test as the owner of its connections. */
export class HttpStage {
  readonly endpoint: AcpHttpEndpoint<Who>;
  readonly log: string[] = [];
  readonly server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  #connections: IncomingConnection<Who>[] = [];
  #wake: (() => void) | undefined;

  private constructor(options: HttpStageOptions) {
    const { limits = {}, accept, protocol = 'http1', prepare, clock } = options;
    this.endpoint = new AcpHttpEndpoint<Who>({
      limits: { flushMs: 500, ...limits },
      log: (line) => this.log.push(line),
      accept: (connection) => {
        this.#connections.push(connection);
        this.#wake?.();
        return accept?.(connection) ?? {};
      },
      ...(clock === undefined ? {} : { clock }),
    });
    // A server of HTTP/2 is used here like one of HTTP/1.1, which is what its compatibility API is for.
    this.server = (protocol === 'h2c' ? createHttp2Server() : createServer()) as Server;
    prepare?.(this.server);
    this.server.on('request', (request, response) => {
      const { who } = request.headers;
      const context = typeof who === 'string' ? who : undefined;
      void this.endpoint.handle(request, response, context);
    });
    this.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.server.on('session', (session: ServerHttp2Session) => this.#sessions.add(session));
  }

  static async start(options: HttpStageOptions = {}): Promise<HttpStage> {
    const stage = new HttpStage(options);
    stage.server.listen(0, '127.0.0.1');
    await once(stage.server, 'listening');
    return stage;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/acp`;
  }

  /** TCP connections that are open. */
  get sockets(): ReadonlySet<Socket> {
    return this.#sockets;
  }

  /** The next connection that was accepted and not asked for yet. */
  async nextConnection(): Promise<IncomingConnection<Who>> {
    for (;;) {
      const connection = this.#connections.shift();
      if (connection !== undefined) return connection;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Ends everything. */
  async dispose(): Promise<void> {
    this.endpoint.closeWhere(() => true);
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
