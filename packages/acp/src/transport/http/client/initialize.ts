import { readEnvelope } from '../envelope.ts';
import { HttpHeader, JSON_TYPE } from '../http-header.ts';
import type { EventStreamSurroundings } from './event-stream.ts';
import type { HttpFetchResponse } from './http-fetch.ts';
import { isSuccess, toRefusal } from './http-requests.ts';
import { HttpTransportError } from './http-transport-error.ts';
import { readText } from './read-text.ts';

/** A connection that the server has opened. */
export interface OpenedConnection {
  readonly connectionId: string;
  /** The id that stands before the first event of every stream; undefined when the server does not tell. */
  readonly startId: string | undefined;
  /** The answer to `initialize`. */
  readonly answer: string;
  /** Whether the answer is an error; then the connection is of no use. */
  readonly isError: boolean;
}

/**
 * Opens a connection with its first message. It is tried once: whoever connects decides about more.
 *
 * @throws HttpTransportError
 */
export async function initialize(
  { requests, limits }: Pick<EventStreamSurroundings, 'requests' | 'limits'>,
  frame: string,
  idText: string,
  signal: AbortSignal,
): Promise<OpenedConnection> {
  const headers = { 'Content-Type': JSON_TYPE, Accept: JSON_TYPE };
  let response: HttpFetchResponse;
  let answer: string;
  try {
    response = await requests.send({ method: 'POST', headers, body: frame, signal });
    if (!isSuccess(response)) throw await toRefusal(response, 'initialize');
    answer = await readText(response, limits.frameLengthMax);
  } catch (cause) {
    if (cause instanceof HttpTransportError) throw cause;
    const message = `the server cannot be reached (${String(cause)})`;
    throw new HttpTransportError('unreachable', message, { cause });
  }
  const { status } = response;
  const connectionId = response.headers.get(HttpHeader.connectionId);
  const envelope = readEnvelope(answer);
  if (connectionId === null || envelope.kind !== 'response' || envelope.idText !== idText) {
    const message = `initialize was answered with ${status}, but not as the protocol says`;
    throw new HttpTransportError('invalid_response', message, { status });
  }
  return {
    connectionId,
    startId: response.headers.get(HttpHeader.streamStart) ?? undefined,
    answer: answer.replaceAll(/[\r\n]/g, ' '),
    isError: envelope.isError === true,
  };
}
