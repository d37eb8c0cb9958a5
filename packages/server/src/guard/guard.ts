import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { ProblemError, type Problem } from '../problem/problem.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import type { AllowedOrigins } from './allowed-origins.ts';
import { parseAuthority, type Authority } from './authority.ts';
import { hasUrlCredential } from './url-credentials.ts';

type RawRequest = IncomingMessage | Http2ServerRequest;

/** What a {@link Guard} looks at. */
export interface GuardParts {
  readonly hosts: AllowedHosts;
  readonly origins: AllowedOrigins;
  readonly hasTls: boolean;
}

/**
 * Decides before anything else whether a request may be looked at: on every route, for files, streams,
 * errors and upgrades alike. It never asks who is there.
 */
export class Guard {
  readonly #parts: GuardParts;

  constructor(parts: GuardParts) {
    this.#parts = parts;
  }

  /**
   * @returns the origin of the page that asks, when it is allowed and the request names one.
   * @throws ProblemError when the request is meant for somebody else, or a foreign page asks.
   */
  checkSource(request: RawRequest): string | undefined {
    const { hosts, origins, hasTls } = this.#parts;
    const { localAddress } = request.socket;
    const host = hostOf(request);
    if (host === undefined || !hosts.accepts(host, localAddress, hasTls ? 443 : 80)) {
      throw new ProblemError(foreignHost(host));
    }
    const { origin } = request.headers;
    if (origin !== undefined && !origins.accepts(origin, localAddress)) {
      throw new ProblemError(FOREIGN_ORIGIN);
    }
    return origin;
  }

  /** @throws ProblemError when a secret stands in the URL. */
  checkTarget(request: RawRequest): void {
    if (hasUrlCredential(request.url ?? '')) throw new ProblemError(URL_CREDENTIAL);
  }
}

/** A target that names its host itself (RFC 9112, 3.2.2). */
const ABSOLUTE_TARGET = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** The one host that a request names; undefined when it names none, several, or no host at all. */
function hostOf({ headers, rawHeaders, url = '' }: RawRequest): Authority | undefined {
  // Node keeps the first of several Host fields, and whoever is in front of it may go by the last.
  const fields = rawHeaders.filter((_, index) => index % 2 === 0);
  if (fields.filter((name) => name.toLowerCase() === 'host').length > 1) return undefined;
  const all = [headers[':authority'], headers.host, ABSOLUTE_TARGET.exec(url)?.[1]];
  const [first, ...others] = all.filter((value) => value !== undefined);
  if (typeof first !== 'string' || others.some((other) => other !== first)) return undefined;
  return parseAuthority(first);
}

function foreignHost(host: Authority | undefined): Problem {
  const what =
    host === undefined ? 'The request does not name one host' : `This server is not ${host.name}`;
  return {
    status: 403,
    code: 'host_not_allowed',
    detail: `${what}. Use one of its own names, or start it with this name as an allowed host.`,
  };
}

const FOREIGN_ORIGIN: Problem = {
  status: 403,
  code: 'origin_not_allowed',
  detail:
    'Pages of this origin may not use this server. Start it with the origin as an allowed one.',
};

const URL_CREDENTIAL: Problem = {
  status: 400,
  code: 'credential_in_url',
  detail:
    'A secret stands in the URL, where logs and histories keep it. Revoke it, and send tokens as ' +
    '"Authorization: Bearer …".',
};
