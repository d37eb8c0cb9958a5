import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { Cutter } from './cutter.ts';

/** Stands between clients and a server on loopback. */
export class CuttingProxy {
  readonly cutter = new Cutter();
  readonly #server: Server;

  private constructor(target: () => number) {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
      const port = target();
      const far = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
      this.cutter.join(near, far);
    });
  }

  /** @param target the port of the server at the moment of a connection. */
  static async open(target: () => number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cutter.destroy();
    await closed;
  }
}
