import { request, type Agent, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** `fetch` over the connections of an agent. */
export function fetchOver(agent: Agent): (url: string, init: RequestInit) => Promise<Response> {
  return (url, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const sent = request(url, {
        agent,
        method,
        headers: headers as Record<string, string>,
        ...(signal == null ? {} : { signal }),
      });
      sent.on('error', reject);
      sent.on('response', (response) => resolve(toResponse(response)));
      sent.end(body);
    });
}

function toResponse(response: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const status = response.statusCode ?? 0;
  if (WITHOUT_BODY.has(status)) return new Response(null, { status, headers });
  const body = Readable.toWeb(response) as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers });
}
