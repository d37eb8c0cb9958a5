import { ExitCode } from '../exit-codes.ts';
import type { RunOutput } from './run-output.ts';

/** What interrupts do. */
export interface InterruptActions {
  /** First Ctrl-C or SIGTERM: the cancel handshake. */
  readonly onFirst: () => void;
  /** Second: the agent's processes are ended. */
  readonly onSecond: () => void;
  readonly output: Pick<RunOutput, 'notice'>;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let interrupt: (() => void) | undefined;

/** Takes a Ctrl-C that came as a key instead of a signal. */
export function interruptByKey(): void {
  interrupt?.();
}

/**
 * Turns interrupts into cancelling.
 *
 * @returns to be called when the turn has ended. What is left to do then is ending the agent in order; an interrupt
 * ends it, and this process, at once.
 */
export function watchInterrupts({ onFirst, onSecond, output }: InterruptActions): () => void {
  let count = 0;
  const onInterrupt = (): void => {
    count++;
    if (count === 1) {
      output.notice('Cancelling; press Ctrl-C again to end the agent at once.');
      onFirst();
    } else if (count === 2) {
      output.notice('Ending the agent.');
      onSecond();
    }
  };
  interrupt = onInterrupt;
  for (const signal of SIGNALS) process.on(signal, onInterrupt);
  return () => {
    interrupt = undefined;
    for (const signal of SIGNALS) {
      process.off(signal, onInterrupt);
      process.on(signal, () => process.exit(ExitCode.Cancelled));
    }
  };
}
