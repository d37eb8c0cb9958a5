import type { RemoteKind } from '../transport-kind.ts';

/** Where an agent is reached over the network, and how. */
export interface RemoteEndpoint {
  /** The address of the endpoint: http, https, ws or wss. */
  readonly url: string;
  readonly transport: RemoteKind;
  /** Sent with each request, for example `Authorization`. They never show in a report or a trace. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The address for plain requests, whatever scheme it was given with. @throws TypeError */
export function httpUrl({ url }: RemoteEndpoint): URL {
  return withScheme(url, 'http');
}

/** The address for sockets, whatever scheme it was given with. @throws TypeError */
export function socketUrl({ url }: RemoteEndpoint): URL {
  return withScheme(url, 'ws');
}

/** The address as it may stand in a report: the query of an address may be secret. */
export function shownUrl({ url }: RemoteEndpoint): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** A scheme can be changed by its text only: `URL` refuses to turn http into ws. */
function withScheme(url: string, plain: 'http' | 'ws'): URL {
  const { protocol, href } = new URL(url);
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  return new URL(href.replace(/^\w+:/, isSecure ? `${plain}s:` : `${plain}:`));
}
