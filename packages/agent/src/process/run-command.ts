import { spawn, type ChildProcess } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { HeadTail } from './head-tail.ts';
import { CommandTree } from './process-tree.ts';
import { within } from './within.ts';

/** A command to run: a program and its arguments, without a shell in between. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
}

/** The bounds of one command. */
export interface CommandLimits {
  readonly timeoutMs: number;
  readonly outputBytesMax: number;
  /** How long a command that was asked to end may take before it is killed. Default 1000. */
  readonly killGraceMs?: number;
}

/** How a command ended. First cause counts. */
export interface CommandResult {
  readonly ended: 'exited' | 'timed_out' | 'aborted' | 'not_started';
  readonly exitCode: number | null;
  readonly exitSignal: NodeJS.Signals | null;
  /** Both output streams, in the order in which they came. */
  readonly output: string;
  readonly omittedBytes: number;
  /** Why it did not start. */
  readonly problem?: string;
}

/** How long the output of a command that has exited is waited for, if something else holds it open. */
const DRAIN_MS = 200;

/**
 * Runs a command in a process group of its own and waits for it. Nothing that it started outlives this
 * call, however it ends: by itself, by its timeout, or by the signal.
 */
export function runCommand(
  command: Command,
  limits: CommandLimits,
  signal: AbortSignal,
): Promise<CommandResult> {
  const kept = new HeadTail(limits.outputBytesMax);
  const finish = (
    ended: CommandResult['ended'],
    exitCode: number | null = null,
    exitSignal: NodeJS.Signals | null = null,
  ): CommandResult => {
    const { text, omittedBytes } = kept.read();
    return { ended, exitCode, exitSignal, output: text, omittedBytes };
  };
  if (signal.aborted) return Promise.resolve(finish('aborted'));
  const [program, ...args] = command.argv;
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd: command.cwd,
      env: commandEnvironment(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return Promise.resolve({ ...finish('not_started'), problem: (error as Error).message });
  }
  child.stdout?.on('data', (chunk: Buffer) => kept.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => kept.push(chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ ...finish('not_started'), problem: error.message });
    });
    if (child.pid === undefined) return;
    void watch(child, child.pid, limits, signal).then((ended) => {
      resolve(finish(ended, child.exitCode, child.signalCode));
    });
  });
}

/** Resolves when the command and everything it started has ended. */
async function watch(
  child: ChildProcess,
  pid: number,
  limits: CommandLimits,
  signal: AbortSignal,
): Promise<CommandResult['ended']> {
  const tree = new CommandTree(pid);
  let ended: CommandResult['ended'] = 'exited';
  let killTimer: ReturnType<typeof setTimeout> | undefined;
  const end = (cause: 'timed_out' | 'aborted'): void => {
    if (killTimer !== undefined) return;
    ended = cause;
    tree.signal('SIGTERM');
    killTimer = setTimeout(() => tree.signal('SIGKILL'), limits.killGraceMs ?? 1000);
  };
  const timer = setTimeout(() => end('timed_out'), limits.timeoutMs);
  const onAbort = (): void => end('aborted');
  signal.addEventListener('abort', onAbort);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve) => child.once('exit', () => resolve()));
  clearTimeout(timer);
  signal.removeEventListener('abort', onAbort);
  await within(closed, DRAIN_MS);
  clearTimeout(killTimer);
  // What it left in the background would hold the output open, and nobody would end it later.
  tree.end();
  child.stdout?.destroy();
  child.stderr?.destroy();
  return ended;
}

/** The agent's own environment, without what ties a process to a test run that the agent is part of. */
function commandEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  delete environment['NODE_TEST_CONTEXT'];
  const node = dirname(process.execPath);
  environment['PATH'] = [environment['PATH'], node].filter(Boolean).join(delimiter);
  return environment;
}
