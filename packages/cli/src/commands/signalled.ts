import { ExitCode } from '../exit-codes.ts';

/** Signals that end a serving command in order. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves at the first signal; a second one ends the process at once. */
export function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (++count > 1) process.exit(ExitCode.Internal);
        resolve();
      });
    }
  });
}
