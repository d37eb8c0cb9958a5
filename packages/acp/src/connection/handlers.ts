import type { RequestContext } from '../jsonrpc/incoming-requests.ts';
import type { NotificationMessage, RequestMessage } from '../jsonrpc/message.ts';
import type { PeerHandler } from '../jsonrpc/peer-types.ts';
import type { RawJson } from '../jsonrpc/raw-json.ts';
import type { RpcError } from '../jsonrpc/rpc-error.ts';
import type { Problem } from '../protocol/validation.ts';

/** Methods with their params and results. */
export type RequestMap<Map> = { [M in keyof Map]: { params: unknown; result: unknown } };

/** Notifications with their params. */
export type NotificationMap<Map> = { [M in keyof Map]: { params: unknown } };

/**
 * Answers one kind of request. `params` is checked; `message` holds what was sent, exactly. Throw an
 * RpcError to refuse. A {@link RawJson} result is sent with its exact text.
 */
export type RequestHandler<Params, Result> = (
  params: Params,
  context: RequestContext,
  message: RequestMessage,
) => Result | RawJson | Promise<Result | RawJson>;

/** Takes one kind of notification in; applied when it returns. `message` holds the exact text. */
export type NotificationHandler<Params> = (params: Params, message: NotificationMessage) => void;

/**
 * What one side of a connection handles. A method without a handler is answered -32601 (R-FRM-20);
 * a notification without one is ignored (R-FRM-21).
 */
export interface Handlers<
  Requests extends RequestMap<Requests>,
  Notifications extends NotificationMap<Notifications>,
> extends Pick<PeerHandler, 'readyForMore' | 'onProblem'> {
  readonly requests: {
    readonly [M in keyof Requests]?: RequestHandler<Requests[M]['params'], Requests[M]['result']>;
  };
  readonly notifications: {
    readonly [M in keyof Notifications]?: NotificationHandler<Notifications[M]['params']>;
  };
  /**
   * A request whose params do not fit the protocol, which is refused with `refusal` unless this answers it.
   * Throw the refusal for all that is not meant otherwise.
   */
  readonly invalidRequest?: (
    message: RequestMessage,
    context: RequestContext,
    refusal: RpcError,
  ) => unknown;
  /** Requests that the protocol does not define, such as extensions (`_name/…`). */
  readonly otherRequest?: (message: RequestMessage, context: RequestContext) => unknown;
  /** Notifications that the protocol does not define. */
  readonly otherNotification?: (message: NotificationMessage) => void;
  /** A notification that does not fit the protocol; it is not given to its handler. */
  readonly invalidNotification?: (message: NotificationMessage, problem: Problem) => void;
}
