import type { Clock } from '@signalbox/acp';
import { ClientError } from '../client-error.ts';

/** A limit on how long something may take. */
export interface Deadline {
  /** Aborted when the time is over, with a {@link ClientError} `timeout` as its reason, or by the caller. */
  readonly signal: AbortSignal;
  /** The work is done: the time does not matter any more. */
  clear(): void;
}

/**
 * Sets a time limit.
 *
 * @param what what takes the time, for the error: `session/list`.
 * @param signal ends the work too; its reason stays what the caller gave.
 */
export function createDeadline(
  clock: Clock,
  timeoutMs: number,
  what: string,
  signal?: AbortSignal,
): Deadline {
  const late = new AbortController();
  const clear = clock.setTimer(timeoutMs, () =>
    late.abort(new ClientError('timeout', `${what} took longer than ${timeoutMs} ms`)),
  );
  return {
    signal: signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]),
    clear,
  };
}

/** The error of work that its signal has ended. */
export function abortError(signal: AbortSignal, what: string): Error {
  const reason: unknown = signal.reason;
  if (reason instanceof ClientError) return reason;
  return new ClientError('aborted', `${what} was aborted`, { cause: reason });
}

/** Rejects when the signal is aborted; otherwise as `work` does, which goes on either way. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal, what));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
