import type { Clock } from './clock.ts';

/** Resolves when `ms` have passed on `clock`, or as soon as `signal` is aborted; never rejects. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      cancel();
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const cancel = clock.setTimer(ms, stop);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop);
  });
}
