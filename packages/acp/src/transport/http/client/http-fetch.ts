/**
 * The part of `fetch` that is used: the platform's own is one, and so is that of `createNodeFetch`. It
 * rejects when nothing answers, and with the signal's reason when that is aborted.
 */
export type HttpFetch = (url: string, init: HttpFetchInit) => Promise<HttpFetchResponse>;

/** One request. */
export interface HttpFetchInit {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request, and also the reading of its answer. */
  readonly signal: AbortSignal;
  /** Cookies that a browser keeps go along to other origins too. */
  readonly credentials: 'include';
  /** Nothing is taken from a cache or put into one. */
  readonly cache: 'no-store';
  /** A redirection is handed on as the answer that it is. */
  readonly redirect: 'manual';
}

/** An answer whose header has come. */
export interface HttpFetchResponse {
  readonly status: number;
  readonly headers: HttpFetchHeaders;
  /** To be read once, or cancelled; null when there cannot be one. */
  readonly body: HttpFetchBody | null;
}

/** The header fields of an answer, by names in any case. */
export interface HttpFetchHeaders {
  /** The value, which of several fields is one list; null without any. */
  get(name: string): string | null;
  /** The values of `Set-Cookie`, which are no list. */
  getSetCookie(): readonly string[];
}

/** The body of an answer. */
export interface HttpFetchBody {
  getReader(): HttpFetchReader;
  /** Gives up what was not read; a connection that is in the midst of it is of no more use. */
  cancel(): Promise<void>;
}

/** Reads a body, one piece after the other. */
export interface HttpFetchReader {
  /** The next piece. Rejects when the answer was cut off, or the request's signal is aborted. */
  read(): Promise<HttpFetchPiece>;
  /** As {@link HttpFetchBody.cancel}. */
  cancel(): Promise<void>;
}

/** A piece of a body, or its end. */
export interface HttpFetchPiece {
  readonly done: boolean;
  /** Undefined at the end. */
  readonly value?: Uint8Array | undefined;
}
