import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { ErrorCode, RpcError } from '@signalbox/acp';
import { toSpawnError } from '../agents/spawn-problem.ts';
import { DirectoryHandle } from '../workspace/directory-handle.ts';
import type { GuardedPath } from '../workspace/guard.ts';
import { createOutputPipe, type OutputPipe } from './output-pipe.ts';
import type { Command } from './to-command.ts';

/** A command to be started in a directory of the session. */
export interface CommandStart extends Command {
  readonly cwd: GuardedPath<'enter'>;
  /** All of it; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How a command ended: by itself with a code, or by a signal. */
export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A command that runs. */
export interface RunningCommand {
  readonly pid: number;
  /** Resolves, never rejects, when its process has ended, whatever is still to be read. */
  readonly ended: Promise<TerminalExit>;
  /** What it writes to stdout and stderr, in order. */
  readonly output: Socket;
}

/**
 * Starts a command as the leader of its own process group, without input.
 *
 * @throws RpcError -32603 with `data.reason` `spawn_failed`, saying what is missing; FileProblem when
 * the directory is not the checked one any more.
 */
export async function startCommand(start: CommandStart): Promise<RunningCommand> {
  const directory = await DirectoryHandle.of(start.cwd);
  try {
    const pipe = await createOutputPipe();
    try {
      return { ...(await spawned(start, directory.path, pipe)), output: pipe.readEnd };
    } catch (error) {
      pipe.readEnd.destroy();
      throw explain(start, error);
    } finally {
      pipe.writeEnd.destroy();
    }
  } finally {
    await directory.close();
  }
}

function spawned(
  { argv, environment }: CommandStart,
  cwd: string,
  { writeEnd }: OutputPipe,
): Promise<Omit<RunningCommand, 'output'>> {
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: environment,
      stdio: ['ignore', writeEnd, writeEnd],
      detached: true,
    });
    // Listeners are attached at once: a short command ends before anything awaited here goes on, and an
    // error that nobody listens to would end the host (B116).
    const ended = new Promise<TerminalExit>((resolveEnded) => {
      child.once('exit', (exitCode, signal) => resolveEnded({ exitCode, signal }));
    });
    child.on('error', reject);
    const { pid } = child;
    if (pid !== undefined) child.once('spawn', () => resolve({ pid, ended }));
  });
}

function explain({ argv, cwd, environment }: CommandStart, cause: unknown): RpcError {
  const { message, hint } = toSpawnError({ command: argv, cwd: cwd.realPath, environment }, cause);
  const text = `The command could not be started. ${message}`;
  const data = {
    reason: 'spawn_failed',
    program: argv[0],
    ...(hint === undefined ? {} : { hint }),
  };
  return new RpcError(ErrorCode.InternalError, text, data, { cause });
}
