import {
  connectHttp,
  connectWebSocket,
  type HttpClientOptions,
  type WebSocketLike,
} from '@signalbox/acp';
import type { Door, DoorKind } from '../connection/door.ts';
import { toWebSocketUrl } from './server-url.ts';

/**
 * Opens a socket that sends headers.
 *
 * @param onSetCookies to be called with the values of `Set-Cookie` in the response.
 */
export type OpenSocket = (
  url: string,
  headers: Readonly<Record<string, string>>,
  onSetCookies: (values: readonly string[]) => void,
) => WebSocketLike;

/** How the doors of an endpoint are opened. */
export interface DoorOptions extends Pick<
  HttpClientOptions,
  'fetch' | 'cookies' | 'clock' | 'random' | 'log'
> {
  /** The endpoint, from `endpointUrl`. */
  readonly endpoint: string;
  /** Headers that say who asks; asked for anew each time. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Undefined: the platform's socket, which sends its own cookies and no headers. */
  readonly createSocket: OpenSocket | undefined;
  /** How long a socket may take to open, in ms. */
  readonly openMs: number;
  /** How long an event stream may bring nothing at all, in ms. */
  readonly streamMs: number;
}

/** How often in a row one request may fail before the connection is made anew, which does more. */
const HTTP_TRIES_MAX = 4;

/** The doors of an endpoint, in this order. */
export function createDoors(kinds: readonly DoorKind[], options: DoorOptions): readonly Door[] {
  return kinds.map((kind) =>
    kind === 'websocket'
      ? createWebSocketDoor(options)
      : { kind, connect: () => Promise.resolve(openHttp(options, kind === 'poll')) },
  );
}

function createWebSocketDoor(options: DoorOptions): Door {
  const { endpoint, createSocket, openMs } = options;
  return {
    kind: 'websocket',
    async connect(signal) {
      const all = createSocket === undefined ? {} : await headersWithCookies(options);
      const { transport } = await connectWebSocket(toWebSocketUrl(endpoint), {
        handshakeMs: openMs,
        signal,
        ...(createSocket === undefined
          ? {}
          : { createSocket: (url) => createSocket(url, all, (values) => keep(values, options)) }),
      });
      return transport;
    },
  };
}

/** Affinity cookies go along on the upgrade too (R-WS-06). */
async function headersWithCookies({
  headers,
  cookies,
  endpoint,
}: DoorOptions): Promise<Readonly<Record<string, string>>> {
  const cookie = (await cookies?.getCookieString(endpoint)) ?? '';
  return cookie === '' ? headers() : { ...headers(), Cookie: cookie };
}

function keep(values: readonly string[], { cookies, endpoint, log }: DoorOptions): void {
  for (const value of values) {
    cookies
      ?.setCookie(value, endpoint)
      .catch((error: unknown) => log?.(`a cookie of the server was not kept: ${String(error)}`));
  }
}

/** Nothing is sent before `initialize`, so this door always opens; that it does not shows then. */
function openHttp(
  options: DoorOptions,
  poll: boolean,
): ReturnType<typeof connectHttp>['transport'] {
  const { endpoint, headers, streamMs, fetch, cookies, clock, random, log } = options;
  const { transport } = connectHttp(endpoint, {
    headers,
    poll,
    limits: { triesMax: HTTP_TRIES_MAX, deadMs: streamMs },
    ...(fetch === undefined ? {} : { fetch }),
    ...(cookies === undefined ? {} : { cookies }),
    ...(clock === undefined ? {} : { clock }),
    ...(random === undefined ? {} : { random }),
    ...(log === undefined ? {} : { log }),
  });
  return transport;
}
