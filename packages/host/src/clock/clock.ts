/** Time as the host sees it. A parameter, so that tests decide how late it is. */
export interface Clock {
  /** Ms since 1970. */
  now(): number;
  /** Calls `onDue` once when `at` (ms since 1970) has come. @returns a function that prevents it. */
  setTimer(at: number, onDue: () => void): () => void;
}

/** Node refuses longer delays; a timer that is due later is set again in between. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** The system's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(at, onDue) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const delayMs = Math.min(Math.max(at - Date.now(), 0), DELAY_MS_MAX);
      timer = setTimeout(() => (Date.now() >= at ? onDue() : arm()), delayMs);
      timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
};
