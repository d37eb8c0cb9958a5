import { ServerError } from './server-error.ts';

/** Bounds of a server. Times are in ms; each is a whole number from 1 on, so nothing is unlimited. */
export interface ServerLimits {
  /** TCP connections at a time. Further ones are closed at once and counted. */
  readonly socketsMax: number;
  /** How long a connection may take until its first bytes, its TLS handshake, or a request's headers came. */
  readonly headersTimeoutMs: number;
  /** How long a whole request may take to arrive. Answers and streams may take any time. */
  readonly requestTimeoutMs: number;
  /** How long a connection without any request stays open. */
  readonly idleSocketMs: number;
  /** Bytes of one request's headers. */
  readonly headerBytesMax: number;
  /** Requests under way on one HTTP/2 connection. */
  readonly http2StreamsMax: number;
  /** Bytes of the body of a request to any route but those of ACP, which have their own bound. */
  readonly bodyBytesMax: number;
  /**
   * Bytes of one ACP message of somebody who may not prompt. An answer to a permission request has some hundred;
   * drivers have the bound of the doors.
   */
  readonly watcherFrameBytesMax: number;
  /** Streams and long polls of session events at a time; further ones get 503. */
  readonly eventStreamsMax: number;
  /** How many of these one token or one signed-in browser may have; further ones get 429. */
  readonly eventStreamsEachMax: number;
  /** WebSockets of one token or one signed-in browser at a time; further ones get 429. */
  readonly webSocketsEachMax: number;
  /** After how long a quiet event stream gets a comment, so that no proxy takes it for dead (B158). */
  readonly heartbeatMs: number;
  /** How long a reader of an event stream may make no progress before it is disconnected (B183). */
  readonly stallMs: number;
  /** After how long it is noticed that another process has revoked a credential, or that it ran out. */
  readonly recheckMs: number;
  /** Sign-ins that may fail from one address in a minute. */
  readonly loginFailuresMax: number;
}

/** What holds where nothing else is given. */
export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  socketsMax: 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
  idleSocketMs: 60_000,
  headerBytesMax: 16 * 1024,
  http2StreamsMax: 128,
  bodyBytesMax: 64 * 1024,
  watcherFrameBytesMax: 256 * 1024,
  eventStreamsMax: 8192,
  // The backend of a whole service may have but one token.
  eventStreamsEachMax: 4096,
  webSocketsEachMax: 4096,
  heartbeatMs: 15_000,
  stallMs: 30_000,
  recheckMs: 5_000,
  loginFailuresMax: 10,
};

/** No timer is longer. */
const LIMIT_MAX = 2 ** 31 - 1;

/**
 * Fills in the defaults.
 *
 * @throws ServerError `options_invalid` when a limit is no whole number from 1 on.
 */
export function toServerLimits(given: Partial<ServerLimits> = {}): ServerLimits {
  for (const [name, value] of Object.entries(given)) {
    if (Number.isInteger(value) && value >= 1 && value <= LIMIT_MAX) continue;
    const message = `The limit ${name} must be a whole number from 1 to ${LIMIT_MAX}, not ${value}`;
    throw new ServerError('options_invalid', message);
  }
  return { ...DEFAULT_SERVER_LIMITS, ...given };
}
