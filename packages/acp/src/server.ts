export * from './transport/incoming-connection.ts';
export {
  AcpWebSocketEndpoint,
  type WebSocketEndpointLimits,
  type WebSocketEndpointOptions,
} from './transport/websocket/acp-web-socket-endpoint.ts';
export { refuseUpgrade } from './transport/websocket/refuse-upgrade.ts';
export {
  AcpHttpEndpoint,
  type AcpHttpEndpointOptions,
} from './transport/http/server/acp-http-endpoint.ts';
export { DEFAULT_HTTP_LIMITS, type AcpHttpLimits } from './transport/http/server/http-limits.ts';
export { HTTP_REQUEST_HEADERS, HTTP_RESPONSE_HEADERS } from './transport/http/http-header.ts';
