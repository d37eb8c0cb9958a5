import type { HttpCookies } from './http-client-options.ts';
import type { HttpFetch, HttpFetchInit, HttpFetchResponse } from './http-fetch.ts';
import { HttpTransportError } from './http-transport-error.ts';
import { readText } from './read-text.ts';

/** How much of the body of a refusal is kept. */
const BODY_LENGTH_MAX = 8 * 1024;

/** Statuses that say nothing of the next try. */
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);

/** What {@link HttpRequests} are made of. */
export interface HttpRequestsOptions {
  readonly url: string;
  readonly fetch: HttpFetch;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly cookies: HttpCookies | undefined;
}

/** One request. */
export type HttpRequestInit = Pick<HttpFetchInit, 'method' | 'headers' | 'body' | 'signal'>;

/** Sends requests to one address, with the headers and cookies that belong to each. */
export class HttpRequests {
  readonly #options: HttpRequestsOptions;

  constructor(options: HttpRequestsOptions) {
    this.#options = options;
  }

  /** @throws whatever fetch throws when nothing answers. */
  async send({ method, headers, body, signal }: HttpRequestInit): Promise<HttpFetchResponse> {
    const { url, fetch, cookies } = this.#options;
    const all: Record<string, string> = { ...this.#options.headers(), ...headers };
    const cookie = await cookies?.getCookieString(url);
    if (cookie !== undefined && cookie !== '') all['Cookie'] = cookie;
    const response = await fetch(url, {
      method,
      headers: all,
      credentials: 'include',
      cache: 'no-store',
      // Ids and credentials are for this address and for no other one.
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    });
    if (cookies !== undefined) {
      for (const text of response.headers.getSetCookie()) await cookies.setCookie(text, url);
    }
    return response;
  }
}

/** Whether the answer says that the request was done. */
export function isSuccess({ status }: HttpFetchResponse): boolean {
  return status >= 200 && status < 300;
}

/** Whether the same request may be answered otherwise the next time. */
export function isTransient(status: number): boolean {
  return TRANSIENT.has(status);
}

/** The error that an unwelcome answer means; its body is read for it. */
export async function toRefusal(
  response: HttpFetchResponse,
  what: string,
): Promise<HttpTransportError> {
  const { status } = response;
  // One that is cut off says nothing, and the status is the same.
  const body = await readText(response, BODY_LENGTH_MAX).catch(() => '');
  const detail = detailOf(body);
  const message = `${what} was answered with ${status}${detail === '' ? '' : ` (${detail})`}`;
  const retryAfterMs = retryAfterOf(response);
  return new HttpTransportError('refused', message, { status, retryAfterMs, body });
}

/** Reads what is left of an answer that says nothing, so that its socket is free again. */
export async function discard(response: HttpFetchResponse): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

/** What a problem body or a JSON-RPC error says, or a short text itself. */
function detailOf(body: string): string {
  try {
    const { detail, error } = JSON.parse(body) as {
      detail?: unknown;
      error?: { message?: unknown };
    };
    if (typeof detail === 'string') return detail;
    return typeof error?.message === 'string' ? error.message : '';
  } catch {
    return body.length <= 200 ? body.trim() : '';
  }
}

function retryAfterOf({ headers }: HttpFetchResponse): number | undefined {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}
