import type { SessionId } from '@signalbox/core';
import type { Host, SessionSummary } from '@signalbox/host';
import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods } from '../app/refuse-other-methods.ts';
import { getSession } from './find-session.ts';

interface ListQuery {
  readonly after?: string;
  readonly limit: number;
}

const LIST_SCHEMA = {
  querystring: {
    type: 'object',
    properties: {
      after: { type: 'string', maxLength: 200 },
      limit: { type: 'integer', minimum: 1, maximum: 500, default: 100 },
    },
  },
} as const;

/** The sessions, of all agents. */
export function addSessionRoutes(app: FastifyInstance, host: Host): void {
  app.get<{ Querystring: ListQuery }>('/v1/sessions', { schema: LIST_SCHEMA }, ({ query }) =>
    listSessions(host, query),
  );
  app.get<{ Params: { id: string } }>('/v1/sessions/:id', ({ params }) =>
    getSession(host, params.id),
  );
  refuseOtherMethods(app, '/v1/sessions', ['GET']);
  refuseOtherMethods(app, '/v1/sessions/:id', ['GET']);
}

/** One page in the order of their making; `next` is there when there are more. */
async function listSessions(
  host: Host,
  { after, limit }: ListQuery,
): Promise<{ sessions: readonly SessionSummary[]; next?: SessionId }> {
  const found = await host.listSessions({
    limit: limit + 1,
    ...(after === undefined ? {} : { after: after as SessionId }),
  });
  const sessions = found.slice(0, limit);
  const last = sessions[sessions.length - 1];
  return found.length > limit && last !== undefined
    ? { sessions, next: last.sessionId }
    : { sessions };
}
