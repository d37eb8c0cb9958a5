import { createCookieJar, createNodeFetch, openNodeSocket } from '@signalbox/acp/node-client';
import type { SignalboxClient } from './client.ts';
import { createClientOn } from './create-client.ts';
import type { ClientOptions } from './options.ts';

export * from './index.ts';

/**
 * Makes a client in a Node program. Beyond `createClient`, its WebSocket sends the token and cookies, learns
 * why it is refused, and notices by pings that a server is gone; its HTTP does not go by web streams, which cost
 * more than all the rest; and the cookies of a load balancer are kept for the next connection (R-HTTP-21,
 * R-WS-06).
 *
 * @throws as `createClient`.
 */
export function createNodeClient(options: ClientOptions): SignalboxClient {
  return createClientOn(options, {
    cookies: createCookieJar(),
    fetch: createNodeFetch(),
    openSocket: (url, headers, onSetCookies) =>
      openNodeSocket(url, {
        headers,
        onUpgrade: ({ setCookies }) => onSetCookies(setCookies),
      }),
  });
}
