import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTls, type Server as TlsServer } from 'node:tls';
import type { ServerLimits } from '../server-limits.ts';
import { ServerError } from '../server-error.ts';
import { readProtocol } from './detect-protocol.ts';
import type { HttpEngines } from './http-engines.ts';
import type { ListenOptions, TlsKeys } from './listen-options.ts';

/**
 * The port: accepts connections, finds out what they speak, and hands them on. Without TLS the first
 * bytes tell (HTTP/2 with prior knowledge, or HTTP/1.1), with TLS the handshake does (ALPN).
 */
export class Front {
  readonly #options: ListenOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(options: ListenOptions, limits: ServerLimits, engines: HttpEngines) {
    this.#options = options;
    this.#server = createServer(options, limits, engines);
    this.#server.maxConnections = limits.socketsMax;
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** TCP connections that are open. */
  get socketCount(): number {
    return this.#sockets.size;
  }

  /** Calls `onDrop` for each connection that was closed because there are too many. */
  onDrop(onDrop: () => void): void {
    this.#server.on('drop', onDrop);
  }

  /**
   * Listens.
   *
   * @returns where. @throws ServerError `listen_failed`.
   */
  listen(): Promise<AddressInfo> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause: NodeJS.ErrnoException) => {
        const message = `${host}:${port} cannot be listened on (${cause.code ?? cause.message})`;
        const hint = HINTS[cause.code ?? ''];
        const details = { cause, ...(hint === undefined ? {} : { hint }) };
        reject(new ServerError('listen_failed', message, details));
      });
      this.#server.listen({ host, port }, () => {
        this.#server.removeAllListeners('error');
        // Such as too many open files: the connection is lost, the server is not.
        this.#server.on('error', () => undefined);
        resolve(this.#server.address() as AddressInfo);
      });
    });
  }

  /** Accepts nothing more, and closes connections on which nothing has come yet. */
  stop(): void {
    if (this.#server.listening) this.#server.close();
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Resolves when every connection is closed. */
  async whenEmpty(): Promise<void> {
    while (this.#sockets.size > 0) {
      await Promise.all(
        [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))),
      );
    }
  }

  /** Ends every connection at once. */
  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program uses this port. Choose another one, or end that program.',
  EACCES: 'Ports below 1024 need special rights. Choose a higher one.',
  EADDRNOTAVAIL: 'No network interface of this machine has this address.',
};

function createServer(
  { tls }: ListenOptions,
  { headersTimeoutMs }: ServerLimits,
  engines: HttpEngines,
): Server {
  if (tls === undefined) {
    return createTcp({ noDelay: true }, (socket) =>
      readProtocol(socket, headersTimeoutMs, (protocol) => engines.take(socket, protocol)),
    );
  }
  const server = createTlsServer(tls, headersTimeoutMs);
  server.on('secureConnection', (socket) => {
    socket.on('error', () => undefined);
    engines.take(socket, socket.alpnProtocol === 'h2' ? 'http2' : 'http1');
  });
  // Port scanners, clients that do not trust the certificate, and those that say nothing.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server;
}

function createTlsServer({ key, cert }: TlsKeys, handshakeTimeout: number): TlsServer {
  const ALPNProtocols = ['h2', 'http/1.1'];
  try {
    return createTls({ key, cert, ALPNProtocols, handshakeTimeout, noDelay: true });
  } catch (cause) {
    const message = `The key and the certificate cannot be used: ${String(cause)}`;
    const hint = 'Give a key and a certificate that belong together, both as PEM.';
    throw new ServerError('options_invalid', message, { cause, hint });
  }
}
