import { excerpt } from '../findings/excerpt.ts';
import type { Side } from '../requirements/requirement.ts';
import type { HttpExchange, WireHeaders } from './http-exchange.ts';

/** An event of an event stream. */
export interface StreamEvent {
  /** The session whose stream it came on; undefined for the connection's own. */
  readonly stream: string | undefined;
  readonly data: string;
}

/** One message of a WebSocket, text or not. */
export interface SocketFrame {
  readonly from: Side;
  readonly isBinary: boolean;
  /** Readable where it is binary, or no UTF-8. */
  readonly text: string;
}

/** How a socket ended. */
export interface SocketClosing {
  /** Who closed it first. */
  readonly by: Side;
  /** The code of the close frame; 1005 if it named none, 1006 if there was no close frame. */
  readonly code: number;
  readonly reason: string;
}

/** One WebSocket, from its upgrade to its end. */
export interface SocketLog {
  readonly requestHeaders: WireHeaders;
  /** When the upgrade was asked for, in ms on the clock of the process. */
  readonly at: number;
  /** The status of the answer to the upgrade; 101 if there is a socket. */
  status: number | undefined;
  answerHeaders: WireHeaders;
  readonly frames: SocketFrame[];
  /** Pings of the other side, and its answers to pings of the kit. */
  pings: number;
  pongs: number;
  closing: SocketClosing | undefined;
}

/** What crossed the wire around the messages of a connection, in the order in which it was seen. */
export class WireLog {
  readonly exchanges: HttpExchange[] = [];
  readonly events: StreamEvent[] = [];
  readonly sockets: SocketLog[] = [];
  /** Comments on event streams. */
  comments = 0;

  /** Begins the log of a socket. */
  addSocket(requestHeaders: WireHeaders): SocketLog {
    const socket: SocketLog = {
      requestHeaders,
      at: performance.now(),
      status: undefined,
      answerHeaders: {},
      frames: [],
      pings: 0,
      pongs: 0,
      closing: undefined,
    };
    this.sockets.push(socket);
    return socket;
  }
}

/** An event for a report. */
export function quoteEvent({ stream, data }: StreamEvent): string {
  const name = stream === undefined ? "the connection's stream" : `the stream of ${stream}`;
  return excerpt(`${name}: ${data}`);
}

/** A frame for a report. */
export function quoteFrame({ from, isBinary, text }: SocketFrame): string {
  return excerpt(`${isBinary ? 'binary' : 'text'} frame of the ${from}: ${text}`);
}
