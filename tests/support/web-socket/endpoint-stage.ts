import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  AcpWebSocketEndpoint,
  type IncomingConnection,
  type WebSocketEndpointLimits,
} from '@signalbox/acp/server';

/** Who a connection of the stage belongs to: what its request says in the header `who`. */
export type Who = string | undefined;

/** How a stage differs from the ordinary one. */
export interface StageOptions {
  readonly limits?: WebSocketEndpointLimits;
  readonly frameBytesMaxOf?: (who: Who) => number | undefined;
  /** What is done with a connection, beside keeping it for {@link EndpointStage.nextConnection}. */
  readonly accept?: (connection: IncomingConnection<Who>) => void;
}

/** An endpoint behind an HTTP server on loopback, with the test as the owner of its connections. */
export class EndpointStage {
  readonly endpoint: AcpWebSocketEndpoint<Who>;
  readonly log: string[] = [];
  /** The TCP sockets that were upgraded, in order. */
  readonly sockets: Duplex[] = [];
  readonly #server = createServer();
  #connections: IncomingConnection<Who>[] = [];
  #wake: (() => void) | undefined;

  private constructor({ limits = {}, frameBytesMaxOf = () => undefined, accept }: StageOptions) {
    this.endpoint = new AcpWebSocketEndpoint<Who>({
      limits: { closeMs: 500, ...limits },
      frameBytesMaxOf,
      log: (line) => this.log.push(line),
      accept: (connection) => {
        this.#connections.push(connection);
        this.#wake?.();
        accept?.(connection);
        return {};
      },
    });
    this.#server.on('upgrade', (request, socket: Duplex, head: Buffer) => {
      this.sockets.push(socket);
      const { who } = request.headers;
      this.endpoint.handleUpgrade(request, socket, head, typeof who === 'string' ? who : undefined);
    });
  }

  static async start(options: StageOptions = {}): Promise<EndpointStage> {
    const stage = new EndpointStage(options);
    stage.#server.listen(0, '127.0.0.1');
    await once(stage.#server, 'listening');
    return stage;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/acp`;
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
    await this.endpoint.close(100);
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
