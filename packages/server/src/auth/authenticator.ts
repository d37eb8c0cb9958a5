import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError, type Problem } from '../problem/problem.ts';
import type { Credentials } from './credentials.ts';
import { ANYBODY, type Principal } from './principal.ts';
import type { SessionCookie } from './session-cookie.ts';

/** What an {@link Authenticator} needs. */
export interface AuthenticatorParts {
  readonly credentials: Credentials;
  readonly cookie: SessionCookie;
  /** False: everybody is let in. */
  readonly isRequired: boolean;
}

/** What is looked at of a request. */
export interface AuthenticatedRequest {
  readonly headers: IncomingHttpHeaders;
  /** Whether the request names an origin, which was found to be allowed. */
  readonly hasAllowedOrigin: boolean;
  /** Whether a page that the browser is about to show is asked for, which no other page can read. */
  readonly isNavigation: boolean;
}

const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

/** Finds out who is behind a request: by its token, or else by the cookie of its browser. */
export class Authenticator {
  readonly #parts: AuthenticatorParts;

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /**
   * @returns who it is; undefined when the request does not say.
   * @throws ProblemError when what it says is not true, or when another site may have sent it.
   */
  async identify(request: AuthenticatedRequest): Promise<Principal | undefined> {
    const { credentials, cookie, isRequired } = this.#parts;
    const { authorization, cookie: cookies } = request.headers;
    if (!isRequired) {
      assertSameSite(request, false);
      return ANYBODY;
    }
    if (authorization !== undefined) {
      const secret = BEARER.exec(authorization)?.[1];
      const principal = secret && (await credentials.verify(secret, 'token'));
      if (!principal) throw new ProblemError(unauthorized('The token is not valid (any more).'));
      return principal;
    }
    for (const secret of cookie.read(cookies)) {
      const principal = await credentials.verify(secret, 'browser');
      if (principal === undefined) continue;
      assertSameSite(request, true);
      return principal;
    }
    return undefined;
  }
}

/**
 * Refuses what a page of another site has sent. A browser adds its cookies to requests of pages on other
 * ports of the same machine, too, and no cookie is needed where nobody has to sign in.
 */
function assertSameSite(request: AuthenticatedRequest, isByCookie: boolean): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return;
  // A strict cookie never comes with these, whatever the page.
  const isNever = site === 'cross-site' && isByCookie;
  if (!isNever && (request.hasAllowedOrigin || request.isNavigation)) return;
  throw new ProblemError(CROSS_SITE);
}

const CROSS_SITE: Problem = {
  status: 403,
  code: 'cross_site',
  detail: "A page of another site may not use this browser's sign-in.",
};

/** Response headers that tell how to say who one is. */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="signalbox"' } as const;

/** The problem of a request that does not say, or not truly, who is behind it. */
export function unauthorized(what: string): Problem {
  return {
    status: 401,
    code: 'unauthorized',
    detail: `${what} Send "Authorization: Bearer …", or open the link that "signalbox serve" prints.`,
    headers: CHALLENGE,
  };
}
