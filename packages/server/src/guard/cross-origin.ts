import type { IncomingHttpHeaders } from 'node:http';
import { HTTP_REQUEST_HEADERS, HTTP_RESPONSE_HEADERS } from '@signalbox/acp/server';

/** What an answer tells a browser about pages of other origins (B142). */
export type CrossOriginHeaders = Readonly<Record<string, string>>;

const ALLOWED_METHODS = 'GET, POST, DELETE, OPTIONS';

/** Request headers that our clients and those of the protocol send. */
const ALLOWED_HEADERS = [...HTTP_REQUEST_HEADERS, 'Acp-Protocol-Version', 'Authorization'].join(
  ', ',
);

/** Response headers that scripts may read. */
const EXPOSED_HEADERS = [...HTTP_RESPONSE_HEADERS, 'Acp-Session-Id'].join(', ');

const PREFLIGHT_SECONDS = '600';

/** For every answer to a page of an allowed origin, errors too. */
export function toCrossOriginHeaders(origin: string): CrossOriginHeaders {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  };
}

/** What else the answer to a preflight says. */
export function toPreflightHeaders(request: IncomingHttpHeaders): CrossOriginHeaders {
  const wantsLocal = request['access-control-request-private-network'] === 'true';
  return {
    'Access-Control-Allow-Methods': ALLOWED_METHODS,
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    ...(wantsLocal ? { 'Access-Control-Allow-Private-Network': 'true' } : {}),
  };
}
