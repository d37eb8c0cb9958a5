import type { RequestMessage } from '../../../jsonrpc/message.ts';
import type { AcceptConnection } from '../../incoming-connection.ts';
import { pause } from '../../../clock/pause.ts';
import { readEnvelope } from '../envelope.ts';
import { HttpHeader } from '../http-header.ts';
import { STREAM_START, toEventId } from '../stream-position.ts';
import type { HttpConnection, HttpSurroundings } from './http-connection.ts';
import type { HttpExchange } from './http-exchange.ts';
import { HttpProblem } from './http-problem.ts';

/**
 * Serves the first message of a new connection: its answer is the body (R-HTTP-06). A connection that was
 * not initialised, for whatever reason, is ended (B141).
 *
 * @throws HttpProblem
 */
export async function handleInitialize<Context>(
  exchange: HttpExchange,
  message: RequestMessage,
  connection: HttpConnection<Context>,
  accept: AcceptConnection<Context>,
  surroundings: HttpSurroundings,
): Promise<void> {
  const done = connection.activity.begin();
  let isInitialized = false;
  try {
    connection.accept(accept);
    const answer = await answerOf(exchange, message, connection, surroundings);
    isInitialized = answer !== undefined && readEnvelope(answer).isError !== true;
    if (answer !== undefined) {
      exchange.sendJson(200, answer, {
        [HttpHeader.connectionId]: connection.id,
        [HttpHeader.streamStart]: toEventId(STREAM_START),
      });
    }
  } finally {
    done();
    // A client that has gone does not know the connection's id.
    if (!isInitialized || exchange.isClosed) connection.end();
  }
}

/** @returns undefined when the client has gone. */
async function answerOf(
  exchange: HttpExchange,
  { text, idText }: RequestMessage,
  connection: HttpConnection<unknown>,
  { clock, limits }: HttpSurroundings,
): Promise<string | undefined> {
  const abort = new AbortController();
  const late = pause(clock, limits.initializeMs, abort.signal).then((): 'late' => 'late');
  const gone = exchange.closed.then((): 'gone' => 'gone');
  const outcome = await Promise.race([
    connection.handshake(text, idText).then((answer) => ({ answer })),
    late,
    gone,
  ]);
  abort.abort();
  if (outcome === 'gone') return undefined;
  if (outcome === 'late') {
    const detail = `The agent has not answered initialize within ${limits.initializeMs} ms.`;
    throw new HttpProblem(504, 'initialize_timeout', detail);
  }
  if (outcome.answer !== undefined) return outcome.answer;
  throw new HttpProblem(500, 'internal', 'The connection ended before initialize was answered.');
}
