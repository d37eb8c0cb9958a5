export { AgentConnection, type AgentHandlers } from './agent-connection.ts';
export { ClientConnection, type ClientHandlers, type RawResult } from './client-connection.ts';
export type { Handlers, NotificationHandler, RequestHandler } from './handlers.ts';
