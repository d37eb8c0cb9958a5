import { ExitCode } from '../../exit-codes.ts';
import { clearProgress } from './progress.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** From now on a signal ends the command in order: what it has started and its scratch folder go with it. */
export function endOnSignals(): void {
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      clearProgress();
      process.stderr.write('signalbox: the check was interrupted, so there is no report\n');
      process.exit(ExitCode.Cancelled);
    });
  }
}
