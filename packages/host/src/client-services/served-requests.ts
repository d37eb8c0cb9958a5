import type {
  ClientRequests,
  RequestContext,
  RequestHandler,
  RequestMessage,
} from '@signalbox/acp';
import type { ServedMethod } from './attached-client.ts';

/** The methods of the agent's client that are not permissions. */
const SERVED_METHODS = [
  'fs/read_text_file',
  'fs/write_text_file',
  'terminal/create',
  'terminal/output',
  'terminal/wait_for_exit',
  'terminal/kill',
  'terminal/release',
  'elicitation/create',
] as const satisfies readonly ServedMethod[];

type Handlers = {
  [M in ServedMethod]?: RequestHandler<ClientRequests[M]['params'], ClientRequests[M]['result']>;
};

/** One handler for all methods that a client serves. */
export function servedRequests(
  serve: (
    method: ServedMethod,
    message: RequestMessage,
    context: RequestContext,
  ) => Promise<unknown>,
): Handlers {
  const handlers = SERVED_METHODS.map((method) => {
    const handler: RequestHandler<unknown, unknown> = (_params, context, message) =>
      serve(method, message, context);
    return [method, handler];
  });
  return Object.fromEntries(handlers) as Handlers;
}
