import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ProblemError } from '../problem/problem.ts';

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers all other methods of a route with 405 and those that there are. */
export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  allowed: readonly HTTPMethods[],
): void {
  const allow = [...allowed, 'OPTIONS'].join(', ');
  app.route({
    method: METHODS.filter((method) => !allowed.includes(method)),
    url,
    config: { access: 'open' },
    // The body is of no interest, whatever it is.
    onRequest: () => {
      throw new ProblemError({
        status: 405,
        code: 'method_not_allowed',
        detail: `This address is used with ${allow}.`,
        headers: { Allow: allow },
      });
    },
    handler: () => undefined,
  });
}
