/** Why a connection over HTTP could not be made or has failed. */
export type HttpTransportErrorCode =
  /** The server answered with a status that trying again does not change; `status` says which. */
  | 'refused'
  /** Nothing answered, or what did was no use, as often as was tried. */
  | 'unreachable'
  /** The server answered, but not as the protocol says. */
  | 'invalid_response'
  /** A stream was lost, and the server does not say how to go on without a gap. */
  | 'not_resumable'
  /** Somebody else reads a stream of this connection now. */
  | 'replaced'
  /** The server sent a message that is longer than the limit. */
  | 'too_large';

/** What is known about the failure beside its code. */
export interface HttpTransportErrorDetails {
  /** The HTTP status of the answer, if there was one. */
  readonly status?: number | undefined;
  /** How long the server asks to wait before the next attempt, in ms. */
  readonly retryAfterMs?: number | undefined;
  /** The beginning of the answer's body. */
  readonly body?: string | undefined;
  readonly cause?: unknown;
}

/** A connection over HTTP that was not made or did not end well. Match by `code`, never by text. */
export class HttpTransportError extends Error {
  override readonly name = 'HttpTransportError';
  readonly code: HttpTransportErrorCode;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly body: string | undefined;

  constructor(
    code: HttpTransportErrorCode,
    message: string,
    details: HttpTransportErrorDetails = {},
  ) {
    super(`${code}: ${message}`, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.body = details.body;
  }
}
