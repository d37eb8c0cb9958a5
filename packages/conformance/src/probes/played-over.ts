import { TRANSPORT_TITLES, type TransportKind } from '../transport-kind.ts';

/** The transports over which an experiment means something. */
export interface PlayedOver {
  readonly transports: readonly TransportKind[];
  /** Why it means nothing over the others. */
  readonly why: string;
}

/** For what is about the bytes of lines, and about the life of a process. */
export const STDIO: PlayedOver = {
  transports: ['stdio'],
  why: 'it needs a process and its pipes, which only stdio has',
};

/** For what Streamable HTTP does. */
export const HTTP: PlayedOver = { transports: ['http'], why: 'it is about Streamable HTTP' };

/** For what a WebSocket does. */
export const WEBSOCKET: PlayedOver = { transports: ['websocket'], why: 'it is about WebSockets' };

/** For what every endpoint does. */
export const REMOTE: PlayedOver = {
  transports: ['websocket', 'http'],
  why: 'it is about an endpoint that is reached over the network',
};

/** Why an experiment is not made over a transport; undefined when it is. */
export function whyNotOver(
  over: PlayedOver | undefined,
  transport: TransportKind,
): string | undefined {
  if (over === undefined || over.transports.includes(transport)) return undefined;
  return `not tried over ${TRANSPORT_TITLES[transport]}: ${over.why}`;
}
