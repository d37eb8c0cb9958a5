import { lastingClock, type HttpCookies, type HttpFetch } from '@signalbox/acp';
import { SignalboxClient } from './client.ts';
import { ClientError } from './client-error.ts';
import type { Door, DoorKind } from './connection/door.ts';
import { createDoors, type OpenSocket } from './doors/create-doors.ts';
import { endpointUrl } from './doors/server-url.ts';
import { completeLimits } from './limits.ts';
import type { ClientOptions } from './options.ts';
import { watchWakeSignals } from './wake-signals.ts';

const ALL_DOORS: readonly DoorKind[] = ['websocket', 'http', 'poll'];

/**
 * Makes a client of a Signalbox server, for browsers and for programs. It begins to connect at once, and
 * keeps a Node process alive until it is closed.
 *
 * @throws ClientError `invalid_argument` when the address, the agent or the doors are not valid; RangeError
 *   when a limit is not.
 */
export function createClient(options: ClientOptions): SignalboxClient {
  return createClientOn(options, {});
}

/** What a platform needs beside what it has. */
export interface PlatformParts {
  /** Where cookies are kept. */
  readonly cookies?: HttpCookies;
  /** Undefined: the platform's own. */
  readonly fetch?: HttpFetch;
  readonly openSocket?: OpenSocket;
}

/** As {@link createClient}, on a platform that needs more. */
export function createClientOn(options: ClientOptions, platform: PlatformParts): SignalboxClient {
  const { url, agent, clientInfo, capabilities = {}, handlers = {} } = options;
  const { cookies } = platform;
  const createSocket = options.createSocket ?? platform.openSocket;
  const fetch = options.fetch ?? platform.fetch;
  const { clock, random = Math.random, log = () => undefined } = options;
  const kinds = doorsOf(options, createSocket !== undefined);
  const limits = completeLimits(options.limits);
  const headers = headersOf(options.token);
  // Checked before anything is begun.
  endpointUrl(url, agent);
  const doorsTo = (named = agent): readonly Door[] =>
    createDoors(kinds, {
      endpoint: endpointUrl(url, named),
      headers,
      createSocket,
      openMs: limits.handshake.openMs,
      streamMs: limits.liveness.streamMs,
      random,
      log,
      ...(fetch === undefined ? {} : { fetch }),
      ...(cookies === undefined ? {} : { cookies }),
      ...(clock === undefined ? {} : { clock }),
    });
  return new SignalboxClient({
    agent,
    doorsTo,
    clientInfo,
    capabilities,
    handlers,
    limits,
    clock: clock ?? lastingClock,
    random,
    log,
    watchWakeSignals,
  });
}

function doorsOf({ doors, token }: ClientOptions, hasHeaders: boolean): readonly DoorKind[] {
  const canSendToken = token === undefined || hasHeaders;
  if (doors === undefined) {
    return canSendToken ? ALL_DOORS : ALL_DOORS.filter((kind) => kind !== 'websocket');
  }
  if (doors.length === 0 || doors.some((kind) => !ALL_DOORS.includes(kind))) {
    const message = `doors must be some of ${ALL_DOORS.join(', ')}`;
    throw new ClientError('invalid_argument', message);
  }
  if (doors.includes('websocket') && !canSendToken) {
    const message =
      "a browser's WebSocket sends no token; leave the door out, sign in with a cookie, or give createSocket";
    throw new ClientError('invalid_argument', message);
  }
  return [...new Set(doors)];
}

/** A token belongs into a header and nowhere else (B170). */
function headersOf(token: ClientOptions['token']): () => Readonly<Record<string, string>> {
  if (token === undefined) return () => ({});
  return () => ({ Authorization: `Bearer ${typeof token === 'string' ? token : token()}` });
}
