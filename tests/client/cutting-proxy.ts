import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between a client and a server, and cuts what goes through it. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Connections that were made through it so far. */
  count = 0;

  private constructor(target: () => number) {
    this.#server = createServer((near) => {
      this.count++;
      const far = connect(target(), '127.0.0.1');
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far).pipe(near);
    });
  }

  /** @param target the port of the server at the moment of a connection. */
  static async open(target: () => number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks every connection that there is. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.cut();
    await closed;
  }
}
