import { ServerError } from '../server-error.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import { parseAuthority } from './authority.ts';

const PATTERN = /^([a-z][a-z0-9+.-]*):\/\/([^/?#@]+)$/i;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** The web pages that may talk to this server: its own, and those of configured origins. */
export class AllowedOrigins {
  readonly #hosts: AllowedHosts;
  readonly #ownSchemes: ReadonlySet<string>;
  readonly #configured: ReadonlySet<string>;

  /**
   * @param configured such as `https://editor.example` or `http://localhost:5173`.
   * @param ownSchemes the schemes by which the server's own pages are reached.
   * @throws ServerError `options_invalid` for what is no origin.
   */
  constructor(hosts: AllowedHosts, configured: readonly string[], ownSchemes: readonly string[]) {
    this.#hosts = hosts;
    this.#ownSchemes = new Set(ownSchemes);
    this.#configured = new Set(
      configured.map((text) => {
        if (PATTERN.test(text)) return text.toLowerCase();
        const hint = 'Give a scheme and a host without a path, such as "https://editor.example".';
        throw new ServerError('options_invalid', `"${text}" is not an origin`, { hint });
      }),
    );
  }

  /** Whether pages of this origin may talk to this server. */
  accepts(origin: string, localAddress: string | undefined): boolean {
    if (this.#configured.has(origin.toLowerCase())) return true;
    const match = PATTERN.exec(origin);
    const scheme = match?.[1]?.toLowerCase() ?? '';
    const authority = parseAuthority(match?.[2] ?? '');
    const defaultPort = DEFAULT_PORTS[scheme];
    if (authority === undefined || defaultPort === undefined) return false;
    return (
      this.#ownSchemes.has(scheme) && this.#hosts.accepts(authority, localAddress, defaultPort)
    );
  }
}
