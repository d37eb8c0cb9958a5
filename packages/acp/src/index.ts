export * from './jsonrpc/index.ts';
export * from './protocol/index.ts';
export * from './connection/index.ts';
export * from './transport/websocket/index.ts';
export * from './transport/http/client/index.ts';
