import type { Clock } from '../../../clock/clock.ts';
import { HttpHeader, JSON_TYPE } from '../http-header.ts';
import { BackOff } from './back-off.ts';
import type { HttpClientLimits } from './http-client-options.ts';
import { discard, isSuccess, isTransient, toRefusal, type HttpRequests } from './http-requests.ts';
import { HttpTransportError } from './http-transport-error.ts';
import type { QueuedPost } from './post-lanes.ts';

/** What a {@link Poster} is made of. */
export interface PosterOptions {
  readonly requests: HttpRequests;
  readonly connectionId: string;
  /** Whether the server does a message once that it receives twice. */
  readonly canRepeat: boolean;
  readonly limits: Required<HttpClientLimits>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborted when the transport ends. */
  readonly signal: AbortSignal;
}

/** Statuses that mean that the whole connection is of no use any more. */
const CONNECTION_LOST = new Set([401, 403, 404, 410]);

/** Statuses by which a server says that it has not looked at the message. */
const NOT_PROCESSED = new Set([429, 503]);

/** Posts the messages of one connection, each until it is known what became of it. */
export class Poster {
  readonly #options: PosterOptions;
  #count = 0;

  constructor(options: PosterOptions) {
    this.#options = options;
  }

  /**
   * Posts one message; tries again where that cannot make it happen twice (B154).
   *
   * @throws HttpTransportError when it did not arrive, or it is not known whether it did.
   */
  async post({ text, sessionId }: QueuedPost): Promise<void> {
    const { connectionId, signal } = this.#options;
    const headers = {
      'Content-Type': JSON_TYPE,
      [HttpHeader.connectionId]: connectionId,
      [HttpHeader.idempotencyKey]: String(++this.#count),
      ...(sessionId === undefined ? {} : { [HttpHeader.sessionId]: sessionId }),
    };
    const backOff = new BackOff(this.#options);
    for (;;) {
      const error = await this.#tryOnce(headers, text);
      if (error === undefined) return;
      if (signal.aborted || !this.#mayRepeat(error) || !backOff.fail()) throw error;
      await backOff.wait(signal, error.retryAfterMs);
    }
  }

  #mayRepeat({ status }: HttpTransportError): boolean {
    if (status !== undefined && NOT_PROCESSED.has(status)) return true;
    return this.#options.canRepeat && (status === undefined || isTransient(status));
  }

  async #tryOnce(
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<HttpTransportError | undefined> {
    const { requests, signal, clock, limits } = this.#options;
    const abort = new AbortController();
    const onEnd = (): void => abort.abort();
    signal.addEventListener('abort', onEnd);
    const cancel = clock.setTimer(limits.postMs, onEnd);
    try {
      const response = await requests.send({ method: 'POST', headers, body, signal: abort.signal });
      if (!isSuccess(response)) return await toRefusal(response, 'a POST');
      await discard(response);
      return undefined;
    } catch (cause) {
      const message = `a POST got no answer, and it may have arrived (${String(cause)})`;
      return new HttpTransportError('unreachable', message, { cause });
    } finally {
      cancel();
      signal.removeEventListener('abort', onEnd);
    }
  }
}

/** Whether a failed POST means that the whole connection is lost, and not one message only. */
export function endsConnection({ status }: HttpTransportError): boolean {
  return status !== undefined && CONNECTION_LOST.has(status);
}
