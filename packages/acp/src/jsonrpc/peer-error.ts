/** Why a call on a peer failed without an answer from the other side. */
export type PeerErrorCode =
  /** The connection ended, before or during the call; `cause` says why. */
  | 'closed'
  /** No answer came within the caller's time limit. */
  | 'timeout'
  /** The caller's signal was aborted and the other side did not answer within the grace. */
  | 'aborted'
  /** The message is larger than the limit for one frame; nothing was sent, or the answer was. */
  | 'too_large'
  /** The value cannot be written as JSON; nothing was sent. */
  | 'not_serializable'
  /** The other side reads too slowly and the send queue is full. */
  | 'queue_full'
  /** The answer is not what the protocol allows. */
  | 'invalid_response'
  /** The other side did not announce that it supports this. Nothing was sent. */
  | 'not_supported'
  /** A call that is not allowed in the connection's present state. */
  | 'wrong_state';

/** A local failure of a call or a connection. Match by `code`, never by text. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
  readonly code: PeerErrorCode;

  constructor(code: PeerErrorCode, message: string, options?: { cause?: unknown }) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}

/** Whether `error` is a {@link PeerError} with this code, also of another bundled copy. */
export function isPeerError(error: unknown, code?: PeerErrorCode): error is PeerError {
  return (
    error instanceof Error &&
    error.name === 'PeerError' &&
    (code === undefined || (error as PeerError).code === code)
  );
}

/** The error of a call on a connection that has ended. @param cause why it ended, if it failed. */
export function closedError(cause: Error | undefined, method?: string): PeerError {
  const what =
    method === undefined ? 'the connection ended' : `${method}: the connection has ended`;
  if (cause === undefined) return new PeerError('closed', what);
  return new PeerError('closed', `${what} (${cause.message})`, { cause });
}
