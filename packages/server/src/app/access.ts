import type { FastifyReply, FastifyRequest } from 'fastify';
import { unauthorized, type Authenticator } from '../auth/authenticator.ts';
import type { Principal } from '../auth/principal.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { sendSignInPage } from '../sign-in/sign-in-page.ts';

/** Who may use a route. */
export type Access =
  /** Everybody who reaches the server. */
  | 'open'
  /** Everybody who is known, whatever his role; where roles matter, the host looks at them. */
  | 'signed-in'
  /** Programs that may do everything. */
  | 'driver-token'
  /** Like `signed-in`, but people who are not known are shown how to sign in. */
  | 'page';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default `signed-in`. */
    readonly access?: Access;
    /** Whether requests can belong to an ACP connection. */
    readonly isAcp?: true;
  }
  interface FastifyRequest {
    /** Who asks; undefined on open routes. */
    principal: Principal | undefined;
    /** Whether a page of an allowed origin asks. */
    hasAllowedOrigin: boolean;
  }
}

/**
 * Lets a request in, or answers it with the way to sign in.
 *
 * @throws ProblemError when whoever asks is not known, or may not use the route.
 */
export async function checkAccess(
  authenticator: Authenticator,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { access = 'signed-in' } = request.routeOptions.config;
  if (request.is404 || access === 'open') return;
  const { headers, hasAllowedOrigin } = request;
  const isNavigation = access === 'page' && headers['sec-fetch-mode'] === 'navigate';
  const principal = await authenticator.identify({ headers, hasAllowedOrigin, isNavigation });
  if (principal === undefined) {
    if (access === 'page' && headers.accept?.includes('text/html') === true) {
      await sendSignInPage(reply, 401);
      return;
    }
    throw new ProblemError(unauthorized('Nobody is signed in.'));
  }
  if (access === 'driver-token' && !isDriverToken(principal)) throw new ProblemError(FORBIDDEN);
  request.principal = principal;
}

/** Who asks, on a route that is not open. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === undefined) throw new Error('an open route asks who is there');
  return request.principal;
}

function isDriverToken({ kind, role }: Principal): boolean {
  return kind === 'token' && role === 'driver';
}

const FORBIDDEN: Problem = {
  status: 403,
  code: 'forbidden',
  detail: 'Only a program with a token of the role "driver" may do this.',
};
