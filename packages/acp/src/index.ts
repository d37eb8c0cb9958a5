export * from './jsonrpc/index.ts';
export * from './protocol/index.ts';
export * from './connection/index.ts';
