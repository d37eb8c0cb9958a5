export {
  connectWebSocket,
  type WebSocketClient,
  type WebSocketOptions,
} from './connect-web-socket.ts';
export {
  WebSocketError,
  type WebSocketErrorCode,
  type WebSocketErrorDetails,
} from './web-socket-error.ts';
export type { WebSocketLike } from './web-socket-like.ts';
export type { WebSocketLimits } from './web-socket-limits.ts';
