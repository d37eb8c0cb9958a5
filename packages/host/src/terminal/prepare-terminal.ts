import { randomUUID } from 'node:crypto';
import { ErrorCode, RpcError, type CreateTerminalRequest } from '@signalbox/acp';
import { guardDirectory, isRefusal } from '../workspace/guard.ts';
import { toFileProblem } from '../workspace/problem.ts';
import type { Roots } from '../workspace/roots.ts';
import { toOutputLimit } from './output-limit.ts';
import { toEnvironmentFacts, toTerminalEnvironment } from './terminal-environment.ts';
import type { TerminalStarted } from './terminal-facts.ts';
import type { TerminalStart } from './terminal.ts';
import { toCommand } from './to-command.ts';

/** What an agent asks for. The session is known otherwise. */
export type TerminalParams = Omit<CreateTerminalRequest, 'sessionId'>;

/** What a session adds to what the agent asks for. */
export interface TerminalPlace {
  readonly sessionId: string;
  /** Commands run within these; by default in the first. */
  readonly roots: Roots;
  /** The agent's environment, made by `toAgentEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A terminal that is checked and not yet started. */
export interface PreparedTerminal {
  /** What there is to say about it. */
  readonly facts: TerminalStarted;
  /** What it takes to start exactly that. */
  readonly start: TerminalStart;
}

/**
 * Checks the params of `terminal/create` and settles what they leave open.
 *
 * @throws RpcError -32602 for what cannot be used; FileProblem for the working directory.
 */
export async function prepareTerminal(
  { command, args = [], env = [], cwd: askedCwd, outputByteLimit }: TerminalParams,
  turnId: string | undefined,
  { sessionId, roots, environment: base }: TerminalPlace,
): Promise<PreparedTerminal> {
  assertUsable(command, args);
  const outputBytesMax = toOutputLimit(outputByteLimit);
  const terminalId = `terminal-${randomUUID()}`;
  const environment = toTerminalEnvironment(base, env, { sessionId, terminalId });
  const cwd = await guardDirectory(roots, askedCwd ?? roots[0].path);
  if (isRefusal(cwd)) throw toFileProblem(cwd);
  const what = toCommand({ command, args }, environment, cwd.realPath);
  const where = { cwd: cwd.realPath, env: toEnvironmentFacts(env) };
  return {
    facts: { ...what, ...where, terminalId, turnId, command, outputBytesMax },
    start: { ...what, id: terminalId, cwd, environment, outputBytesMax },
  };
}

function assertUsable(command: string, args: readonly string[]): void {
  if (command.trim() === '') {
    throw new RpcError(ErrorCode.InvalidParams, '"command" is empty', { param: 'command' });
  }
  if (![command, ...args].some((text) => text.includes('\0'))) return;
  const message = 'A command cannot hold the character NUL';
  throw new RpcError(ErrorCode.InvalidParams, message, { param: 'command' });
}
