import type {
  ClientCapabilities,
  Clock,
  HttpFetch,
  Implementation,
  WebSocketLike,
} from '@signalbox/acp';
import type { ClientRequestHandlers } from './agent-requests.ts';
import type { DoorKind } from './connection/door.ts';
import type { GivenLimits } from './limits.ts';

/** How to make a client. */
export interface ClientOptions {
  /** The server's own address: `https://host:port`, without `/acp`. */
  readonly url: string;
  /** The agent that new sessions get. Default: the server's default. */
  readonly agent?: string;
  /** Who this is, for the log of sessions. */
  readonly clientInfo: Implementation;
  /**
   * The ways in, the best first. Default: `websocket`, `http`, `poll`. A door that does not open is given up
   * for the next one, and tried again later.
   */
  readonly doors?: readonly DoorKind[];
  /**
   * The token of a program, or a function that gives the newest one. It goes into a header, never into an
   * address. A browser's WebSocket sends no headers: there the cookie of a sign-in says who asks.
   */
  readonly token?: string | (() => string);
  /** What this client does for agents: files, terminals, questions. Default: nothing. */
  readonly handlers?: ClientRequestHandlers;
  /** Capabilities beside those that follow from the handlers. */
  readonly capabilities?: ClientCapabilities;
  readonly limits?: GivenLimits;
  /** Told in one line of what was mended or given up. Never holds a secret. */
  readonly log?: (line: string) => void;

  /** Default: the platform's `fetch`; of `createNodeClient` that of `createNodeFetch`. */
  readonly fetch?: HttpFetch;
  /** Makes a WebSocket; `headers` say who asks. Default: the platform's `WebSocket`, without headers. */
  readonly createSocket?: (url: string, headers: Readonly<Record<string, string>>) => WebSocketLike;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** A number from 0 to below 1, for the jitter of waits. Default: `Math.random`. */
  readonly random?: () => number;
}
