import type { HttpCookies, HttpFetch } from './http-client-options.ts';
import { HttpTransportError } from './http-transport-error.ts';

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
export interface HttpRequestInit {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Sends requests to one address, with the headers and cookies that belong to each. */
export class HttpRequests {
  readonly #options: HttpRequestsOptions;

  constructor(options: HttpRequestsOptions) {
    this.#options = options;
  }

  /** @throws whatever fetch throws when nothing answers. */
  async send({ method, headers, body, signal }: HttpRequestInit): Promise<Response> {
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

/** Whether the same request may be answered otherwise the next time. */
export function isTransient(status: number): boolean {
  return TRANSIENT.has(status);
}

/** The error that an unwelcome answer means; its body is read for it. */
export async function toRefusal(response: Response, what: string): Promise<HttpTransportError> {
  const { status } = response;
  const body = await readBeginning(response);
  const detail = detailOf(body);
  const message = `${what} was answered with ${status}${detail === '' ? '' : ` (${detail})`}`;
  const retryAfterMs = retryAfterOf(response);
  return new HttpTransportError('refused', message, { status, retryAfterMs, body });
}

/** Reads what is left of an answer that says nothing, so that its socket is free again. */
export async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

async function readBeginning(response: Response): Promise<string> {
  const { body }: { readonly body: ReadableStream<Uint8Array> | null } = response;
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < BODY_LENGTH_MAX) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // What has arrived is all there is to tell.
  }
  await reader.cancel().catch(() => undefined);
  return text.slice(0, BODY_LENGTH_MAX);
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

function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}
