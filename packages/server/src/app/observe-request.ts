import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestLog } from '../observe/request-log.ts';

/** Notes a request when its answer is over, also when the client goes away before. */
export function observeRequest(
  log: RequestLog,
  request: FastifyRequest,
  { raw }: FastifyReply,
): void {
  const startedAt = performance.now();
  raw.once('close', () =>
    log.note({
      method: request.method,
      route: request.is404 ? undefined : request.routeOptions.url,
      status: raw.headersSent ? raw.statusCode : 0,
      ms: performance.now() - startedAt,
      principal: request.principal,
      isAborted: !raw.writableFinished,
    }),
  );
}
