import type { SessionId } from '@signalbox/core';
import type { Clock, Host } from '@signalbox/host';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { principalOf } from '../app/access.ts';
import { refuseOtherMethods } from '../app/refuse-other-methods.ts';
import { EVENT_QUERY_SCHEMA, toGap, toStartSeq, type EventQuery } from '../log/event-query.ts';
import { toNotice } from '../log/event-text.ts';
import { LogReader } from '../log/log-reader.ts';
import type { OpenStreams } from '../log/open-streams.ts';
import { readPage } from '../log/read-page.ts';
import { SseWriter } from '../log/sse-writer.ts';
import { streamEvents } from '../log/stream-events.ts';
import type { Metrics } from '../observe/metrics.ts';
import { ProblemError } from '../problem/problem.ts';
import type { ServerLimits } from '../server-limits.ts';
import { findSession, getSession } from './find-session.ts';

/** What reading logs needs. */
export interface EventRoutesParts {
  readonly host: Host;
  readonly clock: Clock;
  readonly streams: OpenStreams;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly limits: ServerLimits;
}

interface EventsRoute {
  readonly Params: { readonly id: string };
  readonly Querystring: EventQuery;
}

const URL = '/v1/sessions/:id/events';

/** The log of a session: as pages, by long polls, or as an event stream. */
export function addEventRoutes(app: FastifyInstance, parts: EventRoutesParts): void {
  const schema = { querystring: EVENT_QUERY_SCHEMA };
  app.get<EventsRoute>(URL, { schema }, async (request, reply) => {
    const { sessionId } = await getSession(parts.host, request.params.id);
    const afterSeq = toStartSeq(sessionId, request.query, request.headers);
    if (request.headers.accept?.includes('text/event-stream') === true) {
      return sendStream(parts, sessionId, afterSeq, request, reply);
    }
    return sendPage(parts, sessionId, afterSeq, request, reply);
  });
  refuseOtherMethods(app, URL, ['GET']);
}

async function sendPage(
  { host, clock, streams }: EventRoutesParts,
  sessionId: SessionId,
  afterSeq: number,
  request: FastifyRequest<EventsRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { limit, wait } = request.query;
  const signal = wait > 0 ? streams.open(principalOf(request), reply.raw) : AbortSignal.abort();
  const reader = new LogReader(host, sessionId, afterSeq);
  try {
    if (!(await reader.isInLog())) throw new ProblemError(toGap(sessionId));
    const page = await readPage(reader, { sessionId, limit, waitMs: wait * 1000, clock, signal });
    return await reply.type('application/json; charset=utf-8').send(page);
  } finally {
    reader.close();
  }
}

async function sendStream(
  { host, clock, streams, metrics, log, limits }: EventRoutesParts,
  sessionId: SessionId,
  afterSeq: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const principal = principalOf(request);
  const signal = streams.open(principal, reply.raw);
  let reader = new LogReader(host, sessionId, afterSeq);
  try {
    const isInLog = await reader.isInLog();
    if (!isInLog) {
      reader.close();
      reader = new LogReader(host, sessionId, 0);
    }
    reply.hijack();
    const writer = new SseWriter({ response: reply.raw, clock, stallMs: limits.stallMs, signal });
    writer.open();
    const outcome = await streamEvents({
      sessionId,
      reader,
      writer,
      signal,
      clock,
      heartbeatMs: limits.heartbeatMs,
      exists: async () => (await findSession(host, sessionId)) !== undefined,
      onFailed: (err) => log.error({ err, sessionId }, 'an event stream failed'),
      ...(isInLog ? {} : { gap: toNotice('gap', { reason: 'future' }) }),
    });
    if (outcome === 'slow') metrics.evictions.inc({ reason: 'slow' });
    log.info({ sessionId, principal: principal.name, reason: outcome }, 'event stream closed');
  } finally {
    reader.close();
  }
  return reply;
}
