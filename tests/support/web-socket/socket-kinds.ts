import type { WebSocketLike } from '@signalbox/acp';
import { openNodeSocket } from '@signalbox/acp/node-client';
import { WebSocket as WsSocket } from 'ws';

/** The kinds of sockets that a client may use. */
export const SOCKET_KINDS: Readonly<Record<string, (url: string) => WebSocketLike>> = {
  'our Node socket': (url) => openNodeSocket(url),
  'a plain ws socket': (url) => new WsSocket(url),
  'the event target of a ws socket': (url) => asEventTarget(new WsSocket(url)),
  'the WebSocket of the platform': (url) => new WebSocket(url),
};

/** Shows of a `ws` socket only what a browser's has too. */
export function asEventTarget(socket: WsSocket): WebSocketLike {
  return {
    get readyState() {
      return socket.readyState;
    },
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    send: (text) => socket.send(text),
    close: (code, reason) => socket.close(code, reason),
    addEventListener: socket.addEventListener.bind(socket),
  };
}
