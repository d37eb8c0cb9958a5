import type { Host, SessionQuery } from '@signalbox/host';
import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods } from '../app/refuse-other-methods.ts';
import { getSession } from './find-session.ts';

const LIST_SCHEMA = {
  querystring: {
    type: 'object',
    properties: {
      after: { type: 'string', maxLength: 200 },
      limit: { type: 'integer', minimum: 1, maximum: 500, default: 100 },
      prefix: { type: 'string', maxLength: 200 },
      order: { type: 'string', enum: ['oldest', 'newest'], default: 'oldest' },
    },
  },
} as const;

/** The sessions, of all agents: pages in the order of their making, with `next` when there are more. */
export function addSessionRoutes(app: FastifyInstance, host: Host): void {
  app.get<{ Querystring: SessionQuery }>('/v1/sessions', { schema: LIST_SCHEMA }, ({ query }) =>
    host.pageSessions(query),
  );
  app.get<{ Params: { id: string } }>('/v1/sessions/:id', ({ params }) =>
    getSession(host, params.id),
  );
  refuseOtherMethods(app, '/v1/sessions', ['GET']);
  refuseOtherMethods(app, '/v1/sessions/:id', ['GET']);
}
