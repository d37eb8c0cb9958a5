import { StreamRefused } from '../../incoming-connection.ts';
import { EVENT_STREAM_TYPE, HttpHeader } from '../http-header.ts';
import { pause } from '../../../clock/pause.ts';
import { parseEventId, type StreamPosition } from '../stream-position.ts';
import { assertIdLength } from './assert-id-length.ts';
import { EventResponse } from './event-response.ts';
import type { HttpConnection, HttpSurroundings } from './http-connection.ts';
import type { HttpExchange } from './http-exchange.ts';
import { HttpProblem } from './http-problem.ts';
import type { OutgoingStream } from './outgoing-stream.ts';

/**
 * Serves a stream of a connection (R-HTTP-12, R-HTTP-13): that of the session in the header, or its own.
 *
 * @throws HttpProblem
 */
export async function handleGet(
  exchange: HttpExchange,
  connection: HttpConnection<unknown>,
  surroundings: HttpSurroundings,
): Promise<void> {
  const sessionId = exchange.header(HttpHeader.sessionId);
  const stream = streamOf(connection, sessionId, surroundings);
  const done = connection.activity.begin();
  try {
    await openStream({ exchange, connection, surroundings, stream });
  } finally {
    // A stream has begun an activity of its own by now.
    done();
    if (sessionId !== undefined) connection.streams.forgetUntouched(sessionId);
  }
  await exchange.closed;
  if (sessionId !== undefined) connection.streams.forgetUntouched(sessionId);
}

/** @throws HttpProblem 406 unless the client takes an event stream: nothing else is ever sent (B140). */
export function assertTakesEvents(exchange: HttpExchange): void {
  const types = (exchange.header('Accept') ?? '').toLowerCase().split(',');
  if (types.some((type) => type.split(';')[0]?.trim() === EVENT_STREAM_TYPE)) return;
  const detail = `A GET is answered by ${EVENT_STREAM_TYPE} only. Say so in the header Accept.`;
  throw new HttpProblem(406, 'not_acceptable', detail);
}

interface Opening {
  readonly exchange: HttpExchange;
  readonly connection: HttpConnection<unknown>;
  readonly surroundings: HttpSurroundings;
  readonly stream: OutgoingStream;
}

async function openStream(opening: Opening): Promise<void> {
  const { exchange, connection, surroundings, stream } = opening;
  const { clock, limits } = surroundings;
  let isLate = false;
  const opened = stream.open(positionOf(exchange), () => {
    if (exchange.isClosed || isLate) return undefined;
    const isPoll = exchange.header(HttpHeader.poll) === '1';
    return new EventResponse({ exchange, connectionId: connection.id, clock, limits, isPoll });
  });
  const abort = new AbortController();
  const late = pause(clock, limits.rewindMs, abort.signal).then(() => {
    if (abort.signal.aborted) return;
    isLate = true;
    const detail = 'The stream could not be resumed in time. Try again.';
    throw new HttpProblem(503, 'rewind_timeout', detail, { headers: { 'Retry-After': '1' } });
  });
  try {
    await Promise.race([opened, late]);
  } catch (error) {
    throw error instanceof StreamRefused ? toProblem(error) : error;
  } finally {
    abort.abort();
    // Whichever of the two lost has been dealt with.
    opened.catch(() => undefined);
  }
}

function streamOf(
  connection: HttpConnection<unknown>,
  sessionId: string | undefined,
  { limits }: HttpSurroundings,
): OutgoingStream {
  if (sessionId === undefined) return connection.streams.connection;
  assertIdLength('session', sessionId, limits);
  const stream = connection.streams.session(sessionId);
  if (stream === undefined) {
    const detail = `The streams of ${limits.waitingStreamsMax} sessions wait for a reader. Close some.`;
    throw new HttpProblem(429, 'too_many_streams', detail, { headers: { 'Retry-After': '5' } });
  }
  return stream;
}

function positionOf(exchange: HttpExchange): StreamPosition | undefined {
  const text = exchange.header(HttpHeader.lastEventId);
  if (text === undefined) return undefined;
  const position = parseEventId(text);
  if (position !== undefined) return position;
  throw toProblem(new StreamRefused('malformed', 'This is no event id of this server.'));
}

/** A gap is told, never passed over (B160). */
function toProblem({ reason, message }: StreamRefused): HttpProblem {
  const what = message.endsWith('.') ? message : `${message}.`;
  const detail = `${what} Start anew with initialize and load the session.`;
  return new HttpProblem(409, 'stream_refused', detail, { members: { reason } });
}
