import {
  request as requestHttp,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { text as readText } from 'node:stream/consumers';

/** One request. Unlike `fetch` it sends whatever headers it is told to. */
export interface Question {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request on a connection of its own, over HTTP/1.1, and reads the whole answer. */
export function ask(url: string, { method, headers, body }: Question = {}): Promise<Answer> {
  const { origin, protocol, hostname, port } = new URL(url);
  const request = protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      // Exactly as it was given.
      path: url.slice(origin.length),
      method: method ?? 'GET',
      headers: headers ?? {},
      agent: false,
      rejectUnauthorized: false,
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const { statusCode: status = 0, headers: received } = response;
      readText(response).then((text) => resolve({ status, headers: received, text }), reject);
    });
    // The status of a connection that became a WebSocket; it is of no further use.
    sent.on('upgrade', ({ statusCode: status = 0, headers: received }, socket) => {
      socket.destroy();
      resolve({ status, headers: received, text: '' });
    });
    sent.end(body);
  });
}

/** Headers that ask for a WebSocket. */
export const UPGRADE: OutgoingHttpHeaders = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** The code in the body of a refusal. */
export function codeOf({ headers, text }: Answer): unknown {
  if (headers['content-type'] !== 'application/problem+json; charset=utf-8') return undefined;
  return (JSON.parse(text) as { code: unknown }).code;
}

/** How long a test waits for what is not told in any other way; it is there long before that. */
export const SOON = { timeout: 10_000 } as const;
