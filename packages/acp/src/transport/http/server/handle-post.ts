import { pause } from '../../../clock/pause.ts';
import { sessionIdOf } from '../envelope.ts';
import type { FrameQueue } from '../frame-queue.ts';
import { HttpHeader } from '../http-header.ts';
import { isSessionScoped } from '../session-methods.ts';
import { assertIdLength } from './assert-id-length.ts';
import type { HttpConnection, HttpSurroundings } from './http-connection.ts';
import type { HttpExchange } from './http-exchange.ts';
import { HttpProblem } from './http-problem.ts';
import type { PostedMessage } from './read-message.ts';

/**
 * Takes in a message of a connection; its answer travels on a stream (R-HTTP-08).
 *
 * @throws HttpProblem; then nothing of the message has been processed.
 */
export async function handlePost(
  exchange: HttpExchange,
  message: PostedMessage,
  connection: HttpConnection<unknown>,
  surroundings: HttpSurroundings,
): Promise<void> {
  const session = sessionOf(exchange, message, connection);
  const { limits } = surroundings;
  if (session !== undefined) assertIdLength('session', session, limits);
  if (message.kind === 'request') assertIdLength('request', message.idText, limits);
  const key = exchange.header(HttpHeader.idempotencyKey);
  if (key !== undefined) assertIdLength('POST', key, limits);
  const done = connection.activity.begin();
  try {
    await connection.posts.once(key, async () => {
      await roomFor(connection, surroundings);
      if (message.kind === 'request') {
        connection.routes.addRequest(message.idText, message.method, session);
        if (session !== undefined) connection.streams.enter(session);
      } else if (message.kind === 'response') {
        connection.routes.deleteAsked(JSON.stringify(message.id));
      }
      connection.inbox.push([message.text]);
    });
    exchange.sendEmpty(202);
  } finally {
    done();
  }
}

/**
 * The session that a message belongs to. Header and params have to agree before anything happens (B153).
 *
 * @throws HttpProblem 400 when they do not, or the header is missing (R-HTTP-11).
 */
function sessionOf(
  exchange: HttpExchange,
  message: PostedMessage,
  connection: HttpConnection<unknown>,
): string | undefined {
  const header = exchange.header(HttpHeader.sessionId);
  if (message.kind === 'response') {
    const asked = connection.routes.askedSession(JSON.stringify(message.id));
    assertAgree(header, asked, asked !== undefined);
    return asked;
  }
  const named = sessionIdOf(message.params);
  assertAgree(header, named, named !== undefined || isSessionScoped(message.method));
  return header;
}

function assertAgree(
  header: string | undefined,
  named: string | undefined,
  isNeeded: boolean,
): void {
  if (header === undefined && isNeeded) {
    const detail = `The message belongs to a session. Name it in the header ${HttpHeader.sessionId}.`;
    throw new HttpProblem(400, 'session_id_missing', detail);
  }
  if (header !== undefined && named !== undefined && header !== named) {
    const detail = `The header ${HttpHeader.sessionId} names another session than the message does.`;
    throw new HttpProblem(400, 'session_id_mismatch', detail);
  }
}

/** Waits until what came before has been read, so that a client cannot send faster than it is served. */
async function roomFor(
  { inbox }: HttpConnection<unknown>,
  surroundings: HttpSurroundings,
): Promise<void> {
  if (inbox.whenRoom() !== undefined) await waitForRoom(inbox, surroundings);
  if (inbox.isEnded) {
    throw new HttpProblem(404, 'connection_unknown', 'The connection has ended.');
  }
}

/** @throws HttpProblem 503 when nothing is read for too long. */
async function waitForRoom(inbox: FrameQueue, { clock, limits }: HttpSurroundings): Promise<void> {
  const abort = new AbortController();
  const late = pause(clock, limits.stallMs, abort.signal).then(() => 'late');
  for (let room = inbox.whenRoom(); room !== undefined; room = inbox.whenRoom()) {
    if ((await Promise.race([room, late])) !== 'late') continue;
    const detail = 'The agent does not take in more messages at the moment. Try again later.';
    throw new HttpProblem(503, 'overloaded', detail, { headers: { 'Retry-After': '1' } });
  }
  abort.abort();
}
