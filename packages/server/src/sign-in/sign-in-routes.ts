import type { FastifyInstance } from 'fastify';
import { principalOf } from '../app/access.ts';
import { refuseOtherMethods } from '../app/refuse-other-methods.ts';
import { CHALLENGE } from '../auth/authenticator.ts';
import type { Credentials } from '../auth/credentials.ts';
import type { FailureLimit } from '../auth/failure-limit.ts';
import { ROLES, type Role } from '../auth/principal.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import { LOGIN_CODE_TTL_MS_MAX } from '../auth/login-codes.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { SIGN_IN_SCRIPT, SIGN_IN_STYLE } from './sign-in-files.ts';
import { sendSignInPage } from './sign-in-page.ts';

/** What signing in needs. */
export interface SignInParts {
  readonly credentials: Credentials;
  readonly cookie: SessionCookie;
  readonly failures: FailureLimit;
}

interface LoginBody {
  readonly code: string;
}

interface CodeBody {
  readonly role: Role;
  readonly name?: string;
  readonly ttlMs?: number;
}

const CODE_LENGTH_MAX = 200;
const OPEN = { access: 'open' } as const;

/** Signing in and out, and the codes for it. */
export function addSignInRoutes(app: FastifyInstance, parts: SignInParts): void {
  addPage(app);
  addSigningIn(app, parts);
  addSigningOut(app, parts);
  addCodes(app, parts);
}

function addPage(app: FastifyInstance): void {
  app.get('/login', { config: OPEN }, (_request, reply) => sendSignInPage(reply, 200));
  app.get('/login.js', { config: OPEN }, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(SIGN_IN_SCRIPT),
  );
  app.get('/login.css', { config: OPEN }, (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(SIGN_IN_STYLE),
  );
  refuseOtherMethods(app, '/login', ['GET', 'POST']);
}

function addSigningIn(app: FastifyInstance, { credentials, cookie, failures }: SignInParts): void {
  const schema = {
    body: {
      type: 'object',
      required: ['code'],
      properties: { code: { type: 'string', minLength: 1, maxLength: CODE_LENGTH_MAX } },
    },
  };
  app.post<{ Body: LoginBody }>('/login', { config: OPEN, schema }, async (request, reply) => {
    const seconds = failures.secondsToWait(request.ip);
    if (seconds > 0) throw new ProblemError(tooManyFailures(seconds));
    const signedIn = await credentials.signIn(request.body.code);
    if (signedIn === undefined) {
      failures.note(request.ip);
      throw new ProblemError(INVALID_CODE);
    }
    request.principal = signedIn.principal;
    void reply.header('Set-Cookie', cookie.give(signedIn.secret));
    return { principal: signedIn.principal };
  });
}

function addSigningOut(app: FastifyInstance, { credentials, cookie }: SignInParts): void {
  app.post('/logout', async (request, reply) => {
    const { id, kind } = principalOf(request);
    if (kind !== 'browser') throw new ProblemError(NO_BROWSER);
    await credentials.revoke(id);
    return reply.code(204).header('Set-Cookie', cookie.clear()).send();
  });
  refuseOtherMethods(app, '/logout', ['POST']);
}

function addCodes(app: FastifyInstance, { credentials }: SignInParts): void {
  const schema = {
    body: {
      type: 'object',
      required: ['role'],
      properties: {
        role: { enum: ROLES },
        name: { type: 'string', minLength: 1, maxLength: 100 },
        ttlMs: { type: 'integer', minimum: 1, maximum: LOGIN_CODE_TTL_MS_MAX },
      },
    },
  };
  const url = '/v1/auth/login-codes';
  const options = { config: { access: 'driver-token' }, schema } as const;
  app.post<{ Body: CodeBody }>(url, options, async (request, reply) => {
    const { code, expiresAt } = await credentials.createLoginCode(request.body);
    return reply.code(201).send({ code, path: `/login#code=${code}`, expiresAt });
  });
  refuseOtherMethods(app, url, ['POST']);
}

const INVALID_CODE: Problem = {
  status: 401,
  code: 'login_code_invalid',
  detail:
    'This code is not valid (any more): it works once and for a short time. Ask for a new one.',
  headers: CHALLENGE,
};

const NO_BROWSER: Problem = {
  status: 403,
  code: 'forbidden',
  detail: 'Only browsers sign out. To end a token, revoke it.',
};

function tooManyFailures(seconds: number): Problem {
  return {
    status: 429,
    code: 'too_many_failures',
    detail: `Too many codes from this address were not valid. Try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  };
}
