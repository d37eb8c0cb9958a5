import { ServerError } from '../server-error.ts';
import { parseAuthority, toHostName, type Authority } from './authority.ts';

/** Names by which a machine reaches itself. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The names by which this server is reached. A page whose own name was made to point here (DNS
 * rebinding) says that name, which is not among them (B143).
 */
export class AllowedHosts {
  readonly #configured: readonly Authority[];
  #port: number | undefined;

  /**
   * @param configured further names; one without a port stands for every port, because proxies and
   * forwarded ports change it.
   * @throws ServerError `options_invalid` for what is no name.
   */
  constructor(configured: readonly string[]) {
    this.#configured = configured.map((text) => {
      const authority = parseAuthority(text);
      if (authority !== undefined) return authority;
      const hint = 'Give a name such as "signalbox.example" or "signalbox.example:8443".';
      throw new ServerError('options_invalid', `"${text}" is not the name of a host`, { hint });
    });
  }

  /** The names that were configured, as in a Host header. */
  get configured(): readonly string[] {
    return this.#configured.map(({ name, port }) =>
      port === undefined ? name : `${name}:${port}`,
    );
  }

  /** Sets the port that was listened on in the end. Until then only configured names are allowed. */
  setPort(port: number): void {
    this.#port = port;
  }

  /**
   * Whether a request for this host is for this server.
   *
   * @param localAddress the address at which the connection arrived.
   * @param defaultPort what is meant where no port is given.
   */
  accepts(host: Authority, localAddress: string | undefined, defaultPort: number): boolean {
    const isOurs = this.#configured.some(
      ({ name, port }) => name === host.name && (port === undefined || port === host.port),
    );
    if (isOurs) return true;
    if ((host.port ?? defaultPort) !== this.#port) return false;
    return (
      LOOPBACK_NAMES.has(host.name) ||
      (localAddress !== undefined && toHostName(localAddress) === host.name)
    );
  }
}
