import { CommanderError } from 'commander';
import { OutputLost, tellOutputLost } from './commands/lost-output.ts';
import { exitCodeOfHostError, ExitCode } from './exit-codes.ts';
import { createProgram } from './program/create-program.ts';
import { UsageError } from './usage-error.ts';

/** Runs the command line and sets the process's exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  let isRefused = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isRefused && !isOfGoneReader(error)) {
      isRefused = true;
      process.stderr.write(`signalbox: the output cannot be written: ${error.message}\n`);
    }
    if (!tellOutputLost(error)) process.exit(isRefused ? ExitCode.Internal : ExitCode.Ok);
  });
  // Nobody is left to be told anything; what runs goes on, and ends in order.
  process.stderr.on('error', () => undefined);
  try {
    assertFolder();
    await createProgram().parseAsync(argv);
  } catch (error) {
    process.exitCode = report(error);
  }
  // The turn may have ended well before that was noticed; what was asked for is not there all the same.
  if (isRefused) process.exitCode ||= ExitCode.Internal;
}

/** In a folder that was removed nothing works, down to the start of a thread, and nothing says why (B117). */
function assertFolder(): void {
  try {
    process.cwd();
  } catch {
    throw new UsageError(
      'The folder that this was started in does not exist any more; change into another one.',
    );
  }
}

/** Says what went wrong, once, and gives the exit code for it. */
function report(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Ok : ExitCode.Usage;
  if (error instanceof OutputLost) return ExitCode.Cancelled;
  if (!(error instanceof Error)) {
    process.stderr.write(`signalbox: ${String(error)}\n`);
    return ExitCode.Internal;
  }
  const { hint, code } = error as { hint?: unknown; code?: unknown };
  const isOurs = ['HostError', 'UsageError', 'CoreError', 'ServerError'].includes(error.name);
  const isPlain = isOurs || isOfSystem(error);
  process.stderr.write(`signalbox: ${isPlain ? error.message : (error.stack ?? error.message)}\n`);
  if (typeof hint === 'string') process.stderr.write(`${hint}\n`);
  if (error.name === 'UsageError' || error.name === 'ServerError') return ExitCode.Usage;
  if (error.name === 'CoreError') {
    return code === 'cursor_malformed' || code === 'cursor_foreign'
      ? ExitCode.Usage
      : ExitCode.JournalFailed;
  }
  return error.name === 'HostError'
    ? exitCodeOfHostError(code as Parameters<typeof exitCodeOfHostError>[0])
    : ExitCode.Internal;
}

/** Whether the system refused something, such as a full disk: its words say what and where, and no place in this code. */
function isOfSystem(error: Error): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

/** A reader that has gone (`signalbox log … | head`), or a terminal that was closed, ends a command quietly. */
function isOfGoneReader({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO';
}
