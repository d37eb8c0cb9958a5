import type { Http2ServerRequest } from 'node:http2';

/**
 * Ends an HTTP/2 request whose body does not arrive in time, as Node does for HTTP/1.1. What is answered
 * meanwhile, and how long that takes, is not looked at.
 */
export function limitBodyTime(request: Http2ServerRequest, timeoutMs: number): void {
  const { stream } = request;
  if (stream.endAfterHeaders) return;
  const timer = setTimeout(() => {
    if (!request.complete) stream.close(CANCEL);
  }, timeoutMs).unref();
  stream.once('close', () => clearTimeout(timer));
}

/** The HTTP/2 error code for a stream that is not wanted any more. */
const CANCEL = 0x8;
