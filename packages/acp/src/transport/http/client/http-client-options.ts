import type { Clock } from '../../../clock/clock.ts';
import type { HttpFetch } from './http-fetch.ts';

/** Keeps the cookies of a server (R-HTTP-21). A `CookieJar` of tough-cookie is one. */
export interface HttpCookies {
  getCookieString(url: string): Promise<string>;
  setCookie(text: string, url: string): Promise<unknown>;
}

/** The bounds of a client's connection over HTTP. Each can be set; zero is refused. */
export interface HttpClientLimits {
  /** Longest message that is taken in, in characters. Default 64 Mi. */
  readonly frameLengthMax?: number;
  /** How much may wait in either direction before who adds to it is asked to wait, in characters. Default 256 Ki. */
  readonly highWaterBytes?: number;
  /** How much may wait to be sent at all, in characters, beyond which `send` throws `queue_full`. Default 64 Mi. */
  readonly queuedBytesMax?: number;
  /** POSTs under way at the same time, beside answers and cancels. Default 8. */
  readonly postsMax?: number;
  /** How often in a row one request may fail before the transport does. Default 10. */
  readonly triesMax?: number;
  /** The longest pause before the second try, and before any, in ms. Default 500 and 15,000. */
  readonly backOffMinMs?: number;
  readonly backOffMaxMs?: number;
  /** How long a stream may bring nothing at all, not even a comment, in ms. Default 45 s. */
  readonly deadMs?: number;
  /** How long one POST may take, in ms. Default 60 s. */
  readonly postMs?: number;
  /** How long closing may take, in ms. Default 5 s. */
  readonly closeMs?: number;
}

export const HTTP_CLIENT_LIMITS: Required<HttpClientLimits> = {
  frameLengthMax: 64 * 1024 * 1024,
  highWaterBytes: 256 * 1024,
  queuedBytesMax: 64 * 1024 * 1024,
  postsMax: 8,
  triesMax: 10,
  backOffMinMs: 500,
  backOffMaxMs: 15_000,
  deadMs: 45_000,
  postMs: 60_000,
  closeMs: 5000,
};

/** How a client connects. */
export interface HttpClientOptions {
  /** Headers of each request, for example `Authorization`; asked for anew each time. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Where cookies are kept. Without it that is the platform's affair, as in a browser. */
  readonly cookies?: HttpCookies;
  /** Default: the platform's `fetch`. In Node `createNodeFetch` makes one that costs much less. */
  readonly fetch?: HttpFetch;
  /** Asks again and again instead of reading streams, for proxies that hold long responses back (B169). */
  readonly poll?: boolean;
  readonly limits?: HttpClientLimits;
  /** Told in one line of what went wrong and was mended. */
  readonly log?: (line: string) => void;
  readonly clock?: Clock;
  /** Gives the jitter of the pauses: from 0 up to, but not including, 1. */
  readonly random?: () => number;
}
