/** Time as the client sees it. A parameter, so that tests decide how late it is. */
export interface Clock {
  /** Ms since 1970. */
  now(): number;
  /** Calls `onDue` once when `at` (ms since 1970) has come. @returns a function that prevents it. */
  setTimer(at: number, onDue: () => void): () => void;
}

/** Timers of browsers and of Node take no longer delay; one that is due later is set again. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/**
 * The clock of the system. Its timers keep a Node process alive: a client that waits for its next attempt
 * is at work until it is closed.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(at, onDue) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (): void => {
      const delayMs = Math.min(Math.max(at - Date.now(), 0), DELAY_MS_MAX);
      timer = setTimeout(() => (Date.now() >= at ? onDue() : arm()), delayMs);
    };
    arm();
    return () => clearTimeout(timer);
  },
};
