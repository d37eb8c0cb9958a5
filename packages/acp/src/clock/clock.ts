/** Time. A parameter of whatever waits, so that tests decide how late it is. */
export interface Clock {
  /**
   * Ms since 1970, as the machine has it: it may be set forward or back at any moment. For what logs and people are
   * told; nothing is measured by it.
   */
  now(): number;
  /** Ms since some moment, never set: the difference of two is how long something took. */
  elapsed(): number;
  /**
   * Calls `onDue` once when `delayMs` have passed, of any length; at the next opportunity when it is not above 0.
   *
   * @returns a function that prevents it.
   */
  setTimer(delayMs: number, onDue: () => void): () => void;
}

/** Browsers and Node take no longer delays; a timer that is due later is set again in between. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** The system's clock. Its timers do not keep a Node process alive. */
export const systemClock: Clock = createSystemClock(releaseProcess);

/** The system's clock, whose timers keep a Node process alive: for what is at work until it is closed. */
export const lastingClock: Clock = createSystemClock(() => undefined);

type Timer = ReturnType<typeof setTimeout>;

function createSystemClock(onSet: (timer: Timer) => void): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    setTimer(delayMs, onDue) {
      const due = performance.now() + delayMs;
      let timer: Timer;
      const arm = (): void => {
        const leftMs = Math.min(Math.max(due - performance.now(), 0), DELAY_MS_MAX);
        timer = setTimeout(() => (performance.now() >= due ? onDue() : arm()), leftMs);
        onSet(timer);
      };
      arm();
      return () => clearTimeout(timer);
    },
  };
}

function releaseProcess(timer: Timer | number): void {
  // In a browser a timer is a number, and there is no process.
  if (typeof timer === 'object') timer.unref();
}
