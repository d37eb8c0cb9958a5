import { EventTargetPort } from './event-target-port.ts';
import type { SocketPort } from './socket-port.ts';
import { isWsSocket, type WebSocketLike } from './web-socket-like.ts';
import { WsSocketPort } from './ws-socket-port.ts';

/** The port to a socket, by the best way that the socket has. */
export function createSocketPort(socket: WebSocketLike): SocketPort {
  return isWsSocket(socket) ? new WsSocketPort(socket) : new EventTargetPort(socket);
}
