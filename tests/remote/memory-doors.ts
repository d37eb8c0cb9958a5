import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Records } from '@signalbox/core';
import { systemClock, type Host, type ServedAgent } from '@signalbox/host';
import { pino } from 'pino';
import { AcpDoors, type Visitor } from '../../packages/server/src/acp/acp-doors.ts';
import { CredentialWatch } from '../../packages/server/src/auth/credential-watch.ts';
import { Credentials } from '../../packages/server/src/auth/credentials.ts';
import { ANYBODY } from '../../packages/server/src/auth/principal.ts';
import { Metrics } from '../../packages/server/src/observe/metrics.ts';
import { DEFAULT_SERVER_LIMITS } from '../../packages/server/src/server-limits.ts';
import { MemoryNetwork } from './memory-network.ts';

/** The doors of a server that has no port and no socket. */
export class MemoryDoors {
  readonly #server: Server;
  readonly #doors: AcpDoors;
  readonly #watch: CredentialWatch;
  readonly #metrics = new Metrics();

  constructor(host: Host, agent: ServedAgent, records: Records) {
    this.#watch = new CredentialWatch({
      credentials: new Credentials({ records, clock: systemClock }),
      clock: systemClock,
      recheckMs: 60_000,
      onEnded: () => undefined,
      onFailed: () => undefined,
    });
    const doors = new AcpDoors({
      options: { host, agents: () => agent },
      limits: DEFAULT_SERVER_LIMITS,
      watch: this.#watch,
      metrics: this.#metrics,
      log: pino({ level: 'silent' }),
    });
    this.#doors = doors;
    const visitor: Visitor = { principal: ANYBODY, agent };
    this.#server = createServer((request, response) => {
      void doors.http.handle(request, response, visitor);
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => undefined);
      doors.webSocket.handleUpgrade(request, socket, head, visitor);
    });
  }

  /** A way to the doors, for one client. */
  openNetwork(): MemoryNetwork {
    return new MemoryNetwork(this.#server);
  }

  async close(): Promise<void> {
    await this.#doors.close(100);
    this.#watch.close();
    this.#metrics.close();
  }
}
