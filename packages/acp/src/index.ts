export { lastingClock, systemClock, type Clock } from './clock/clock.ts';
export { pause } from './clock/pause.ts';
export { SimulatedClock } from './clock/simulated-clock.ts';
export * from './jsonrpc/index.ts';
export * from './protocol/index.ts';
export * from './connection/index.ts';
export * from './transport/websocket/index.ts';
export * from './transport/http/client/index.ts';
