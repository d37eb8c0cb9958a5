/** Time as the HTTP transports see it. A parameter, so that tests decide how late it is. */
export interface TransportClock {
  /** Ms since some moment. Setting the machine's clock must not move it: waits are measured by it. */
  now(): number;
  /** Calls `onDue` once when `now()` has come to `at`. @returns a function that prevents it. */
  setTimer(at: number, onDue: () => void): () => void;
}

/** What the machine measures time by. Its timers do not keep a Node process alive. */
export const machineClock: TransportClock = {
  now: () => performance.now(),
  setTimer(at, onDue) {
    const timer: unknown = setTimeout(onDue, Math.max(at - performance.now(), 0));
    // In a browser a timer is a number, and there is no process to keep.
    if (typeof timer === 'object') (timer as { unref(): void }).unref();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};

/** Resolves when `ms` have passed on `clock`, or as soon as `signal` is aborted; never rejects. */
export function pause(clock: TransportClock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      cancel();
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const cancel = clock.setTimer(clock.now() + ms, stop);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop);
  });
}
