import { CONNECTION_ID_HEADER } from '../connection-id-header.ts';

/** The header fields of ACP over Streamable HTTP, and what this implementation adds to them. */
export const HttpHeader = {
  /** Names the connection, on every request behind `initialize` (R-HTTP-07). */
  connectionId: CONNECTION_ID_HEADER,
  /** Names the session of a message or of a stream (R-HTTP-10, R-HTTP-12). */
  sessionId: 'Acp-Session-Id',
  /** The id of the last event that was processed, when a stream is opened again. */
  lastEventId: 'Last-Event-ID',
  /** `1` on a GET asks for what there is instead of a stream (B169). */
  poll: 'Acp-Poll',
  /**
   * Names a message within its connection. The same one again is taken for a repetition of a POST whose
   * response was lost: it is answered like the first and not processed twice (B154).
   */
  idempotencyKey: 'Idempotency-Key',
  /**
   * On the answer to `initialize`: the event id that stands before the first event of every stream. It
   * says that streams can be resumed and POSTs repeated, and what to come back with when a stream was
   * lost before its first event (B161).
   */
  streamStart: 'Acp-Stream-Start',
} as const;

/** What a client sends: for `Access-Control-Allow-Headers` (B142). */
export const HTTP_REQUEST_HEADERS: readonly string[] = [
  'Accept',
  'Content-Type',
  HttpHeader.connectionId,
  HttpHeader.sessionId,
  HttpHeader.lastEventId,
  HttpHeader.poll,
  HttpHeader.idempotencyKey,
];

/** What a client has to be able to read: for `Access-Control-Expose-Headers` (B142). */
export const HTTP_RESPONSE_HEADERS: readonly string[] = [
  HttpHeader.connectionId,
  HttpHeader.streamStart,
  'Retry-After',
];

export const EVENT_STREAM_TYPE = 'text/event-stream';
export const JSON_TYPE = 'application/json';

/** Why the server ends an event stream: the text of its last comment. */
export type StreamEnd =
  /** The connection has ended; nothing more comes on any of its streams. */
  | 'closed'
  /** Another request reads this stream from now on. */
  | 'replaced'
  /** The reader made no progress for too long. It may come back and resume. */
  | 'slow';
