/** Why a WebSocket did not open, or ended otherwise than by an ordinary close. */
export type WebSocketErrorCode =
  /** No socket could be made, for example because the URL is not valid. */
  | 'not_created'
  /** The server answered the upgrade with an HTTP status; `status` says which. */
  | 'refused'
  /** Nothing answered, or the socket does not tell what did: a browser hides a refusal's status. */
  | 'unreachable'
  /** It did not open in time. */
  | 'timeout'
  /** The caller's signal was aborted before it opened. */
  | 'aborted'
  /** The other side closed it and said why; see `closeCode` and `reason`. */
  | 'closed'
  /** It was closed on this side for a breach of the protocol or of a limit; see `closeCode`. */
  | 'violation'
  /** It was closed on this side by whoever is in charge; see `closeCode` and `reason`. */
  | 'revoked'
  /** It broke without a word of the other side. */
  | 'cut'
  /** The other side no longer answers pings. */
  | 'unresponsive'
  /** The other side does not read what is sent to it. */
  | 'slow'
  /** More arrived than was taken from the transport, and the socket cannot be paused. */
  | 'overrun';

/** What is known about the failure beside its code. */
export interface WebSocketErrorDetails {
  /** The HTTP status that the upgrade was answered with. */
  readonly status?: number;
  /** How long the server asks to wait before the next attempt, in ms. */
  readonly retryAfterMs?: number;
  /** The code that the socket was closed with. */
  readonly closeCode?: number;
  /** The reason that the socket was closed with. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/** A WebSocket that did not open or did not end well. Match by `code`, never by text. */
export class WebSocketError extends Error {
  override readonly name = 'WebSocketError';
  readonly code: WebSocketErrorCode;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly closeCode: number | undefined;
  readonly reason: string | undefined;

  constructor(code: WebSocketErrorCode, message: string, details: WebSocketErrorDetails = {}) {
    super(`${code}: ${message}`, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.closeCode = details.closeCode;
    this.reason = details.reason;
  }
}
