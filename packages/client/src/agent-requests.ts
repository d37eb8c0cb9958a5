import {
  ErrorCode,
  RpcError,
  validateParams,
  type ClientCapabilities,
  type ClientRequests,
  type RequestContext,
  type RequestMessage,
} from '@signalbox/acp';

/** What a client does for agents: handlers of requests of the protocol, by method. */
export type ClientRequestHandlers = {
  readonly [M in keyof ClientRequests]?: (
    params: ClientRequests[M]['params'],
    context: RequestContext,
  ) => ClientRequests[M]['result'] | Promise<ClientRequests[M]['result']>;
};

const TERMINAL_METHODS = [
  'terminal/create',
  'terminal/output',
  'terminal/wait_for_exit',
  'terminal/kill',
  'terminal/release',
] as const;

/**
 * What is offered to agents: what there are handlers for, and that sessions are read from their logs.
 *
 * @param clientId what the client is called over all its connections.
 */
export function capabilitiesOf(
  handlers: ClientRequestHandlers,
  extra: ClientCapabilities,
  clientId: string,
): ClientCapabilities {
  return {
    ...extra,
    fs: {
      readTextFile: handlers['fs/read_text_file'] !== undefined,
      writeTextFile: handlers['fs/write_text_file'] !== undefined,
    },
    terminal: TERMINAL_METHODS.every((method) => handlers[method] !== undefined),
    ...(handlers['elicitation/create'] === undefined ? {} : { elicitation: { form: {} } }),
    _meta: { ...extra._meta, signalbox: { view: 'log', clientId } },
  };
}

/** Answers requests of agents with the handlers that there are; all others are declined (R-FRM-20). */
export function createRequestHandler(
  handlers: ClientRequestHandlers,
): (message: RequestMessage, context: RequestContext) => unknown {
  const byMethod = new Map<string, (params: never, context: RequestContext) => unknown>(
    Object.entries(handlers),
  );
  return ({ method, params }, context) => {
    const handler = byMethod.get(method);
    if (handler === undefined) {
      // The log tells of it, and it is answered by the log; declining it here could count as a no.
      if (method === 'session/request_permission') return untilWithdrawn(context.signal);
      throw new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`, { method });
    }
    const problem = validateParams(method, params);
    if (problem !== undefined) {
      const text = `Invalid params: ${problem.path} ${problem.message}`;
      throw new RpcError(ErrorCode.InvalidParams, text, { path: problem.path });
    }
    return handler((params ?? {}) as never, context);
  };
}

/** Never answers before the server withdraws the request, which it does when it has been decided. */
function untilWithdrawn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = (): void =>
      reject(new RpcError(ErrorCode.RequestCancelled, 'Request cancelled'));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
