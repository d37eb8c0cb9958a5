import { constants } from 'node:os';
import { ExitCode } from '../../exit-codes.ts';
import { say } from './say.ts';

/** How an agent has ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly error?: Error;
}

/** How long a signal that this process sends itself may take. */
const SIGNAL_MS = 500;

/** Ends this process like the agent, so that whoever waits for it sees no difference. */
export function endLike({ code, signal, error }: Ending): void {
  if (error !== undefined) {
    say(`the agent could not be started: ${error.message}`);
    process.exit(ExitCode.AgentStart);
  }
  if (signal === null) process.exit(code ?? 0);
  process.kill(process.pid, signal);
  // A signal that does not end a Node process is told in the way of shells.
  setTimeout(() => process.exit(128 + constants.signals[signal]), SIGNAL_MS);
}
