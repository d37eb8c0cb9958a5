import { once } from 'node:events';
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * How many bytes of the body of a response are let through before the connection is cut; -1 cuts it before
 * the header. Undefined lets everything through.
 */
export type CutRule = (request: IncomingMessage) => number | undefined;

/** A proxy that cuts responses off. */
export class CuttingProxy {
  /** The bytes of the bodies that were let through, by the request. */
  readonly lengths = new Map<IncomingMessage, number>();
  readonly #targetPort: number;
  readonly #rule: CutRule;
  readonly #server: Server;

  private constructor(targetPort: number, rule: CutRule) {
    this.#targetPort = targetPort;
    this.#rule = rule;
    this.#server = createServer((request, response) => this.#forward(request, response));
  }

  static async start(targetPort: number, rule: CutRule): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(targetPort, rule);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/acp`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request;
    const options = { host: '127.0.0.1', port: this.#targetPort, method, path: url, headers };
    const onward = forward(options, (answer) => this.#pass(request, answer, response));
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  #pass(request: IncomingMessage, answer: IncomingMessage, response: ServerResponse): void {
    let left = this.#rule(request) ?? Infinity;
    const cut = (): void => {
      response.destroy();
      answer.destroy();
    };
    if (left < 0) {
      cut();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    if (left === 0) setImmediate(cut);
    answer.on('error', () => response.destroy());
    answer.on('end', () => response.end());
    answer.on('data', (bytes: Buffer) => {
      if (left === 0) return;
      const part = bytes.subarray(0, left);
      this.lengths.set(request, (this.lengths.get(request) ?? 0) + part.length);
      left -= part.length;
      response.write(part, left === 0 ? () => setImmediate(cut) : undefined);
    });
  }
}
