import type { RequestContext } from './incoming-requests.ts';
import type { RpcLimits } from './limits.ts';
import type { NotificationMessage, RequestMessage } from './message.ts';
import type { Frame } from './transport.ts';

/** What the owner of a peer does with what arrives. */
export interface PeerHandler {
  /** Answers a request: the result, or a promise of it; throw an `RpcError` to refuse. */
  onRequest(request: RequestMessage, context: RequestContext): unknown;
  /**
   * Takes a notification in. It is applied when this returns: nothing that came later on the wire is
   * looked at before, so a response never overtakes it. It must not throw.
   */
  onNotification(notification: NotificationMessage): void;
  /**
   * Asked after each read. While the returned promise is pending the peer does not read on, which is
   * how a full mailbox slows the sender down. It must not depend on anything still to be read.
   */
  readyForMore?(): void | Promise<void>;
  /** Something was wrong that no answer tells anybody about. For logs and counters; must not throw. */
  onProblem?(problem: PeerProblem): void;
}

/** Something that went wrong on a connection which goes on all the same. */
export interface PeerProblem {
  readonly kind:
    'noise' | 'unexpected_response' | 'handler_failed' | 'oversized_frame' | 'nested_frame';
  readonly message: string;
  readonly cause?: unknown;
}

/** Sees every frame; must not throw. `direction` is from this peer's point of view. */
export type WireTap = (direction: 'in' | 'out', frame: Frame) => void;

/** How a peer behaves. */
export interface PeerOptions {
  readonly limits?: Partial<RpcLimits>;
  /**
   * What to do about lines that are no message: `answer` with the error that JSON-RPC asks for, at most
   * once per burst (R-FRM-17), or `skip` them and look for a message behind leading text, which suits
   * the stdout of an agent. A broken request whose id can be read is answered either way.
   */
  readonly noise?: 'answer' | 'skip';
  /** The notification that cancels a request; it carries `requestId`. */
  readonly cancelMethod?: string;
  /**
   * How long answers under way may take after the other side ended, in ms. Default 2000. What is still
   * running then is aborted.
   */
  readonly drainMs?: number;
  readonly tap?: WireTap;
}

/** How long the sender of one request waits for the answer. */
export interface RequestOptions {
  /**
   * Aborting sends the cancel notification. The call then waits for the answer, which may be a result,
   * for at most `abortGraceMs` (default 5000) and rejects as `aborted` after that. A request whose
   * signal is aborted beforehand is not sent.
   */
  readonly signal?: AbortSignal;
  readonly abortGraceMs?: number;
  /** Rejects as `timeout` after this many ms. Default: no limit, the connection's end is the limit. */
  readonly timeoutMs?: number;
  /**
   * Asked when the time is over: true begins it anew, for example while the other side waits for us. Must
   * turn false in bounded time, or the limit is none.
   */
  readonly extendsTime?: () => boolean;
}

/** Why a peer is closed. The first reason counts. */
export interface CloseReason {
  readonly kind: 'closed_here' | 'closed_there' | 'failed';
  readonly error?: Error;
}
