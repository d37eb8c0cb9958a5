import type { Server } from 'node:http';
import fastifyCookie from '@fastify/cookie';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Authenticator } from '../auth/authenticator.ts';
import { toCrossOriginHeaders, toPreflightHeaders } from '../guard/cross-origin.ts';
import type { Guard } from '../guard/guard.ts';
import { SECURITY_HEADERS } from '../guard/security-headers.ts';
import type { RequestHandler } from '../listening/http-engines.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { RequestLog } from '../observe/request-log.ts';
import { DRAINING } from '../problem/draining.ts';
import { isFault, ProblemError, type Problem } from '../problem/problem.ts';
import { toProblem } from '../problem/to-problem.ts';
import { checkAccess } from './access.ts';
import { answerClientError } from './answer-client-error.ts';
import { observeRequest } from './observe-request.ts';
import { sendProblem } from './send-problem.ts';

/** What every request passes. */
export interface AppParts {
  /** The server that speaks HTTP/1.1, which Fastify wants to know. It never listens. */
  readonly http1: Server;
  /** Told who answers requests, of whatever protocol. */
  readonly onHandler: (handler: RequestHandler) => void;
  readonly guard: Guard;
  readonly authenticator: Authenticator;
  readonly requestLog: RequestLog;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly bodyBytesMax: number;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  readonly proxies: readonly string[];
  readonly isDraining: () => boolean;
}

/** An application without routes: what is checked, answered and noted for every request. */
export function createApp(parts: AppParts): FastifyInstance {
  const { guard, authenticator, isDraining } = parts;
  const app = fastify({
    serverFactory: (handler) => {
      // Requests of HTTP/2 have the same shape; Fastify's types know one server only.
      parts.onHandler(handler as RequestHandler);
      return parts.http1;
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      void answerUnrouted(parts, error, request, reply);
    },
    trustProxy: [...parts.proxies],
    bodyLimit: parts.bodyBytesMax,
    exposeHeadRoutes: false,
    forceCloseConnections: false,
  });
  // Cookies are read where they are asked for, not of every request.
  void app.register(fastifyCookie, { hook: false });
  app.decorateRequest('principal', undefined);
  app.decorateRequest('hasAllowedOrigin', false);
  app.addHook('onRequest', async (request, reply) => {
    observeRequest(parts.requestLog, request, reply);
    enter(guard, request, reply);
    if (request.method === 'OPTIONS') return answerOptions(request, reply);
    if (isDraining()) assertAnsweredWhileDraining(request, reply);
    await checkAccess(authenticator, request, reply);
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, NOT_FOUND));
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    noteProblem(parts, problem, error, request);
    return sendProblem(reply, problem);
  });
  app.removeContentTypeParser('text/plain');
  return app;
}

/** What comes before everything: also before it is known whether there is such a route. */
function enter(guard: Guard, request: FastifyRequest, reply: FastifyReply): void {
  // On the response itself, so that handlers which write it themselves send them, too.
  const { raw } = reply;
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) raw.setHeader(name, value);
  const origin = guard.checkSource(request.raw);
  if (origin !== undefined) {
    request.hasAllowedOrigin = true;
    for (const [name, value] of Object.entries(toCrossOriginHeaders(origin))) {
      raw.setHeader(name, value);
    }
  }
  guard.checkTarget(request.raw);
}

/** Preflights are asked without any credential, and must be answered without one. */
function answerOptions(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(204).headers(toPreflightHeaders(request.headers)).send();
}

/**
 * @throws ProblemError unless the request asks how the server is, or belongs to an ACP connection whose
 *   prompts may still be under way.
 */
function assertAnsweredWhileDraining(request: FastifyRequest, reply: FastifyReply): void {
  // In HTTP/2 the whole connection is told.
  if (request.raw.httpVersionMajor === 1) reply.raw.setHeader('Connection', 'close');
  const { config } = request.routeOptions;
  if (request.is404 || (config.access !== 'open' && !isOfConnection(request))) {
    throw new ProblemError(DRAINING);
  }
}

function isOfConnection({ headers, routeOptions }: FastifyRequest): boolean {
  return headers['acp-connection-id'] !== undefined && routeOptions.config.isAcp === true;
}

/** Answers what no route was looked for, such as an address that cannot be decoded. */
async function answerUnrouted(
  parts: AppParts,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  observeRequest(parts.requestLog, request, reply);
  let problem = toProblem(error);
  try {
    enter(parts.guard, request, reply);
  } catch (refusal) {
    problem = toProblem(refusal);
  }
  noteProblem(parts, problem, error, request);
  await sendProblem(reply, problem);
}

function noteProblem(
  { metrics, log }: AppParts,
  problem: Problem,
  error: unknown,
  request: FastifyRequest,
): void {
  metrics.noteProblem(problem);
  if (isFault(problem))
    log.error({ err: error, route: request.routeOptions.url }, 'request failed');
}

const NOT_FOUND: Problem = {
  status: 404,
  code: 'not_found',
  detail: 'There is nothing at this address.',
};
