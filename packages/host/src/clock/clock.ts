/** Time as the host sees it. A parameter, so that tests decide how late it is. */
export interface Clock {
  /** Ms since 1970, as the machine has it: it may be set forward or back at any moment. */
  now(): number;
  /** Ms since some moment, never set: the difference of two is how long something took. */
  elapsed(): number;
  /**
   * Calls `onDue` once when `at` (ms since 1970) has come, by what is left until then now: setting the machine's
   * clock moves no timer. @returns a function that prevents it.
   */
  setTimer(at: number, onDue: () => void): () => void;
}

/** Node refuses longer delays; a timer that is due later is set again in between. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** The system's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer(at, onDue) {
    const due = performance.now() + at - Date.now();
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const delayMs = Math.min(Math.max(due - performance.now(), 0), DELAY_MS_MAX);
      timer = setTimeout(() => (performance.now() >= due ? onDue() : arm()), delayMs);
      timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
};
