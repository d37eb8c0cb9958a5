import { Agent, type Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { Cutter } from './cutter.ts';

/** Connections to an HTTP server that does not listen: pairs of streams in memory, which can be cut. */
export class MemoryNetwork {
  readonly cutter = new Cutter();
  /** Makes connections for clients of `node:http` and `ws`. */
  readonly agent: Agent;

  constructor(server: Server) {
    const connect = (): Duplex => {
      const [client, near] = linkedPair();
      const [far, served] = linkedPair();
      // A client's socket does not stay half open.
      client.once('end', () => client.end());
      this.cutter.join(near, far);
      server.emit('connection', Object.assign(served, SOCKET_METHODS));
      return Object.assign(client, SOCKET_METHODS);
    };
    this.agent = new (class extends Agent {
      override createConnection(): Duplex {
        return connect();
      }
    })({ keepAlive: true });
  }

  close(): void {
    this.agent.destroy();
    this.cutter.destroy();
  }
}

/** Two ends of a connection; when one is destroyed, the other is too. */
function linkedPair(): [Duplex, Duplex] {
  const [one, other] = duplexPair();
  one.once('close', () => other.destroy());
  other.once('close', () => one.destroy());
  return [one, other];
}

// Both sides treat a connection as a socket where its timers are concerned.
const nothing = (): void => undefined;
const SOCKET_METHODS = { setKeepAlive: nothing, setTimeout: nothing, ref: nothing, unref: nothing };
