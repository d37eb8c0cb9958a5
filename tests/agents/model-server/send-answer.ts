import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './conversation.ts';
import type { AnswerContext, Dialect, Frame } from './dialect.ts';

/** Sends a JSON body. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Sends an answer, whole or in frames; gives up when nobody reads it any more. */
export async function sendAnswer(
  response: ServerResponse,
  what: {
    readonly dialect: Dialect;
    readonly answer: Answer;
    readonly context: AnswerContext;
    readonly url: URL;
  },
): Promise<void> {
  const { dialect, answer, context, url } = what;
  if (answer.errorStatus !== undefined) {
    return sendJson(response, answer.errorStatus, dialect.errorBody(answer.errorStatus));
  }
  if (!context.request.isStream) {
    return sendJson(response, 200, dialect.whole(answer, context));
  }
  const isEventStream = dialect.name !== 'gemini' || url.searchParams.get('alt') === 'sse';
  response.writeHead(200, {
    'content-type': isEventStream ? 'text/event-stream' : 'application/json',
    'cache-control': 'no-cache',
  });
  let count = 0;
  for (const frame of dialect.frames(answer, context)) {
    if (response.destroyed) return;
    response.write(isEventStream ? toEvent(frame) : toElement(frame, count));
    count += 1;
    if (frame.isPiece === true && answer.gapMs > 0) await delay(answer.gapMs);
  }
  response.end(isEventStream ? '' : ']');
}

function toEvent({ event, data }: Frame): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

/** Without server-sent events a stream is one long array. */
function toElement({ data }: Frame, index: number): string {
  return `${index === 0 ? '[' : ',\n'}${JSON.stringify(data)}`;
}
