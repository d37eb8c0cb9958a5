import type { RequestContext } from '../jsonrpc/incoming-requests.ts';
import type { NotificationMessage, RequestMessage } from '../jsonrpc/message.ts';
import type { PeerHandler } from '../jsonrpc/peer-types.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import { ErrorCode } from '../protocol/error-codes.ts';
import { isMethodName, METHODS } from '../protocol/v1/methods.ts';
import { validateParams } from '../protocol/validation.ts';
import type { Handlers, NotificationHandler, RequestHandler } from './handlers.ts';

type AnyRequestHandler = RequestHandler<unknown, unknown>;
type AnyNotificationHandler = NotificationHandler<unknown>;
type AnyHandlers = Handlers<Record<string, never>, Record<string, never>>;

/** Whether a request may be handled now; throws the RpcError to answer with if not. */
export type RequestGate = (method: string) => void;

/**
 * Routes what arrives at one side to its handlers: one look-up per message, params checked before a
 * handler sees them, every request answered.
 */
export function createDispatch(
  side: 'agent' | 'client',
  handlers: Handlers<never, never>,
  gate: RequestGate,
): PeerHandler {
  const { otherRequest, otherNotification, invalidNotification, invalidRequest } =
    handlers as AnyHandlers;
  const requests = new Map<string, AnyRequestHandler>(Object.entries(handlers.requests));
  const notifications = new Map<string, AnyNotificationHandler>(
    Object.entries(handlers.notifications),
  );

  const onRequest = (message: RequestMessage, context: RequestContext): unknown => {
    const { method } = message;
    gate(method);
    const handler = requests.get(method);
    if (handler === undefined) {
      if (otherRequest === undefined || isMethodName(method)) throw methodNotFound(method);
      return otherRequest(message, context);
    }
    const problem = validateParams(method, message.params);
    if (problem !== undefined) {
      const where = problem.path === '' ? 'params' : problem.path;
      const text = `Invalid params: ${where} ${problem.message}`;
      const data = { path: problem.path, problem: problem.message };
      const refusal = new RpcError(ErrorCode.InvalidParams, text, data);
      if (invalidRequest === undefined) throw refusal;
      return invalidRequest(message, context, refusal);
    }
    return handler(message.params ?? {}, context, message);
  };

  const onNotification = (message: NotificationMessage): void => {
    const { method } = message;
    const handler = notifications.get(method);
    if (handler === undefined) {
      if (!isMethodName(method) || METHODS[method].side !== side) otherNotification?.(message);
      return;
    }
    const problem = validateParams(method, message.params);
    if (problem === undefined) handler(message.params ?? {}, message);
    else invalidNotification?.(message, problem);
  };

  const { readyForMore, onProblem } = handlers;
  return {
    onRequest,
    onNotification,
    ...(readyForMore === undefined ? {} : { readyForMore }),
    ...(onProblem === undefined ? {} : { onProblem }),
  };
}

function methodNotFound(method: string): RpcError {
  return new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`, { method });
}
