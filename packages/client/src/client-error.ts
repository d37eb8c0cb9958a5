/** Why the client could not do what it was asked for. */
export type ClientErrorCode =
  /** The call cannot be made as it is; nothing was sent. */
  | 'invalid_argument'
  /** The client, or the session's object, was closed by its owner. */
  | 'closed'
  /** The caller's signal was aborted. */
  | 'aborted'
  /** No answer, or no connection, within the time limit. */
  | 'timeout'
  /** The server cannot be reached now. Tried again by itself. */
  | 'unreachable'
  /** The connection ended before the answer: nobody knows whether the server did what was asked. */
  | 'connection_lost'
  /** The server wants to know who asks, or does not accept the token or the cookie (401). Permanent. */
  | 'unauthorized'
  /** The server does not let this client in (403). Permanent. */
  | 'forbidden'
  /** There is no such endpoint, or no such agent, at the address (404). Permanent. */
  | 'not_found'
  /** The endpoint is gone for good (410). Permanent. */
  | 'gone'
  /** The server speaks no version of the protocol that this library does. Permanent. */
  | 'protocol_version'
  /** The server is no Signalbox server, or too old to serve the log of a session. Permanent. */
  | 'not_supported'
  /** The server takes no message of this size. Sending it again would not help. */
  | 'too_large'
  /** The answer is not what was agreed on. */
  | 'invalid_response'
  /** The session is attached already by this client. */
  | 'already_attached'
  /** The session has ended, as its `ended` event told. */
  | 'session_ended'
  /** Events are missing that cannot be had any more; the view was made anew from a snapshot. */
  | 'gap'
  /** The server sends events again and again that do not follow one another. */
  | 'inconsistent'
  /** What was read does not have the digest that the log names. */
  | 'digest_mismatch';

/** A failure of the client or its connection. Match by `code`, never by text. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: string, options?: { cause?: unknown }) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}

/** Whether `error` is a {@link ClientError} with this code, also of another bundled copy. */
export function isClientError(error: unknown, code?: ClientErrorCode): error is ClientError {
  return (
    error instanceof Error &&
    error.name === 'ClientError' &&
    (code === undefined || (error as ClientError).code === code)
  );
}
