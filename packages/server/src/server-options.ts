import type { AcpHttpLimits, WebSocketEndpointLimits } from '@signalbox/acp/server';
import type { Records } from '@signalbox/core';
import type { Clock, Host, ServedAgent } from '@signalbox/host';
import type { Logger } from 'pino';
import type { ListenOptions } from './listening/listen-options.ts';
import type { ServerLimits } from './server-limits.ts';

/** What a server is made of. */
export interface ServerOptions {
  /** Whose sessions are served. The server never closes it. */
  readonly host: Host;
  /** Finds an agent by its name. Asked for each new connection; one object for each agent. */
  readonly agents: (name: string) => ServedAgent | undefined;
  /** The name of the agent at `/acp`. Absent: there is none, and clients have to name one. */
  readonly defaultAgent?: string;
  /** Where to listen. The host is 127.0.0.1 if it is not given. */
  readonly listen: Partial<ListenOptions> & Pick<ListenOptions, 'port'>;
  /** The journal's records: credentials are kept there. */
  readonly records: Records;
  /**
   * Further names by which the server is reached, such as `signalbox.example` (any port) or
   * `signalbox.example:8443`.
   */
  readonly hosts?: readonly string[];
  /** Origins of other web pages that may use the server, such as `https://editor.example`. */
  readonly origins?: readonly string[];
  /**
   * Addresses or networks of proxies in front of the server. They do TLS, their X-Forwarded-For is
   * believed, and the server is reached by https under `hosts`.
   */
  readonly proxies?: readonly string[];
  /** `none`: everybody who reaches the server may do everything. Only for loopback. Default `required`. */
  readonly auth?: 'required' | 'none';
  /** Whether `/metrics` is shown to everybody. Default false. */
  readonly openMetrics?: boolean;
  /** The folder with the page's files, absolute. Absent: there is no page. */
  readonly page?: string;
  /** Default: JSON lines on stderr. */
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly limits?: Partial<ServerLimits>;
  /** Bounds of ACP over WebSocket. */
  readonly webSocketLimits?: WebSocketEndpointLimits;
  /** Bounds of ACP over HTTP. */
  readonly httpLimits?: Partial<AcpHttpLimits>;
}
