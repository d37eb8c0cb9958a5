import { PeerError } from './peer-error.ts';
import type { RequestOptions } from './peer-types.ts';

const ABORT_GRACE_MS = 5000;

/** What {@link watchRequest} does to the request that it watches. */
export interface WatchedRequest {
  readonly method: string;
  /** Tells the other side that the answer is not wanted any more; must not throw. */
  cancel(): void;
  /** Rejects the request, if it is still waiting. */
  giveUp(error: PeerError): void;
}

/** Why a request must not be sent at all: its caller has given up already. */
export function abortedBefore(method: string, options?: RequestOptions): PeerError | undefined {
  const signal = options?.signal;
  if (signal?.aborted !== true) return undefined;
  return new PeerError('aborted', `${method} was aborted before it was sent`, {
    cause: signal.reason,
  });
}

/**
 * Applies the time limit and the abort signal to one request that has been sent.
 *
 * @returns what to call when the request is settled.
 */
export function watchRequest(request: WatchedRequest, options: RequestOptions): () => void {
  const { signal, timeoutMs, extendsTime, abortGraceMs = ABORT_GRACE_MS } = options;
  const { method } = request;
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (timeoutMs !== undefined) {
    const onTimeOver = (): void => {
      if (extendsTime?.() === true) {
        timer = setTimeout(onTimeOver, timeoutMs);
        return;
      }
      request.cancel();
      request.giveUp(new PeerError('timeout', `no answer to ${method} within ${timeoutMs} ms`));
    };
    timer = setTimeout(onTimeOver, timeoutMs);
  }
  if (signal === undefined) return () => clearTimeout(timer);

  const onAbort = (): void => {
    request.cancel();
    clearTimeout(timer);
    timer = setTimeout(() => {
      const message = `${method} was aborted and not answered within ${abortGraceMs} ms`;
      request.giveUp(new PeerError('aborted', message, { cause: signal.reason }));
    }, abortGraceMs);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  };
}
