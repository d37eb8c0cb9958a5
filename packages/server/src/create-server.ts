import type { FastifyInstance } from 'fastify';
import { Upgrades } from './acp/upgrades.ts';
import { createApp } from './app/create-app.ts';
import type { Credentials } from './auth/credentials.ts';
import { toBrowserUrls } from './listening/browser-urls.ts';
import type { RequestHandler } from './listening/http-engines.ts';
import { createParts, type Parts } from './parts.ts';
import { addRoutes } from './routes/add-routes.ts';
import type { ServerOptions } from './server-options.ts';
import type { ServerAddress, SignalboxServer } from './signalbox-server.ts';

/** How long closing may take if nothing else is said, in ms. */
export const CLOSE_GRACE_MS = 10_000;

/** How much of that is kept for saying good-bye at most, in ms. */
const GOODBYE_MS = 2_000;

/**
 * Makes a server for a host's sessions. It serves nothing before `listen`.
 *
 * @throws ServerError `exposure_refused` when others could come in that must not, or `options_invalid`.
 */
export function createServer(options: ServerOptions): SignalboxServer {
  return new Server(options);
}

class Server implements SignalboxServer {
  readonly #parts: Parts;
  readonly #app: FastifyInstance;
  #handler: RequestHandler | undefined;
  #address: ServerAddress | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ServerOptions) {
    const parts = createParts(options, () => this.#closing !== undefined);
    this.#parts = parts;
    this.#app = createApp({
      ...parts,
      http1: parts.engines.http1,
      onHandler: (handler) => (this.#handler = handler),
      bodyBytesMax: parts.limits.bodyBytesMax,
      proxies: options.proxies ?? [],
    });
  }

  get credentials(): Credentials {
    return this.#parts.credentials;
  }

  get address(): ServerAddress | undefined {
    return this.#address;
  }

  get urls(): readonly string[] {
    if (this.#address === undefined) return [];
    const { options, listen, hosts } = this.#parts;
    return toBrowserUrls({
      ...this.#address,
      hasTls: listen.tls !== undefined,
      isBehindProxy: (options.proxies ?? []).length > 0,
      names: hosts.configured,
    });
  }

  async listen(): Promise<ServerAddress> {
    try {
      return await this.#listen();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async #listen(): Promise<ServerAddress> {
    const parts = this.#parts;
    const { engines, front, hosts, cookie, credentials, log } = parts;
    // What does not work any more is refused in any case; this only makes room.
    await credentials.purge().catch((err: unknown) => log.error({ err }, 'old credentials stay'));
    await addRoutes(this.#app, parts);
    await this.#app.ready();
    const upgrades = new Upgrades(parts);
    engines.serve(
      (request, response) => this.#handler?.(request, response),
      (request, socket, head) => upgrades.handle(request, socket, head),
    );
    const { address, port } = await front.listen();
    hosts.setPort(port);
    cookie.open(this.#app, port);
    this.#address = { host: address, port };
    log.info({ host: address, port, urls: this.urls }, 'listening');
    return this.#address;
  }

  close({ graceMs = CLOSE_GRACE_MS }: { readonly graceMs?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    const { front, engines, streams, doors, watch, metrics, log } = this.#parts;
    log.info({ graceMs }, 'closing');
    // Whoever looks at `#closing` sees it set.
    await Promise.resolve();
    const goodbyeMs = Math.min(GOODBYE_MS, graceMs / 2);
    streams.close();
    // Until then it can still be asked whether the server is ready, and prompts be cancelled.
    await doors.whenIdle(graceMs - goodbyeMs);
    front.stop();
    engines.drain();
    await within(
      goodbyeMs,
      doors.close(goodbyeMs).then(() => front.whenEmpty()),
    );
    front.destroy();
    engines.close();
    watch.close();
    metrics.close();
    await this.#app.close();
    log.info('closed');
  }
}

/** Resolves with the work, or when the time is over. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
