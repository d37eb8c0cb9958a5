import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods } from '../app/refuse-other-methods.ts';
import type { Metrics } from '../observe/metrics.ts';

/** The server's numbers, for Prometheus. */
export function addMetricsRoute(app: FastifyInstance, metrics: Metrics, isOpen: boolean): void {
  const config = { access: isOpen ? 'open' : 'signed-in' } as const;
  app.get('/metrics', { config }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
  refuseOtherMethods(app, '/metrics', ['GET']);
}
