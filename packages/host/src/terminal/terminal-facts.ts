import type { TerminalExit } from './start-command.ts';
import type { EnvironmentFact } from './terminal-environment.ts';
import type { Command } from './to-command.ts';

/** A command that is about to run or runs: what policy judges and what the log keeps. */
export interface TerminalStarted extends Command {
  readonly terminalId: string;
  /** The turn that asked for it; undefined outside of turns. */
  readonly turnId: string | undefined;
  /** As the agent wrote it. */
  readonly command: string;
  /** Where it runs, without links. */
  readonly cwd: string;
  /** What the agent set, on top of its own environment. */
  readonly env: readonly EnvironmentFact[];
  /** How much of its output is kept. */
  readonly outputBytesMax: number;
}

/** A command that has ended. */
export interface TerminalExited extends TerminalExit {
  readonly terminalId: string;
  readonly turnId: string | undefined;
  /** How much it has written, also what is not kept. */
  readonly outputBytes: number;
  /** Whether the beginning of the output was dropped. */
  readonly truncated: boolean;
}
