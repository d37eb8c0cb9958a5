import { isPeerError, type Clock, type ResponseMessage } from '@signalbox/acp';
import { ClientError } from '../client-error.ts';
import { abortError, createDeadline } from './deadline.ts';
import type { Link } from './link.ts';

/** One call, and how it is made. */
export interface Call {
  readonly method: string;
  readonly params: unknown;
  /** How long it may take, with waiting for a connection, in ms. */
  readonly timeoutMs: number;
  /** Whether it may be sent again when the connection ended before the answer: doing it twice is harmless. */
  readonly mayRepeat: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Told when it is sent again, so that an earlier one may have been carried out. */
  readonly onRepeat?: () => void;
}

/**
 * Calls the server, over the next connection when there is none now (B155).
 *
 * @param whenReady resolves with a connection that the call can go out on.
 * @throws RpcError what the server answers; ClientError `timeout`, `aborted`, `connection_lost`, and what
 *   `whenReady` throws; PeerError for a message that cannot be sent.
 */
export async function callServer(
  call: Call,
  clock: Clock,
  whenReady: (signal: AbortSignal) => Promise<Link>,
): Promise<ResponseMessage> {
  const { method, params, timeoutMs, mayRepeat, onRepeat } = call;
  const deadline = createDeadline(clock, timeoutMs, method, call.signal);
  const { signal } = deadline;
  try {
    for (;;) {
      const link = await whenReady(signal);
      try {
        return await link.request(method, params, { signal, abortGraceMs: 0 });
      } catch (error) {
        if (isPeerError(error, 'aborted')) throw abortError(signal, method);
        if (!isPeerError(error, 'closed')) throw error;
        if (!mayRepeat) throw lost(method, error);
        onRepeat?.();
      }
    }
  } finally {
    deadline.clear();
  }
}

function lost(method: string, cause: Error): ClientError {
  const message = `the connection ended before ${method} was answered; it may have been carried out`;
  return new ClientError('connection_lost', message, { cause });
}
