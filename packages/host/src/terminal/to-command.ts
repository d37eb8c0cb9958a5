import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { CreateTerminalRequest } from '@signalbox/acp';

/** What is going to be executed. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  /** Whether the agent's command is a line for the shell, the last of `argv`. */
  readonly isShellLine: boolean;
}

/** What runs a line for the shell. */
const SHELL = ['/bin/sh', '-c'] as const;

/** Where the system looks for programs when there is no PATH. */
const PATH_DEFAULT = '/bin:/usr/bin';

/**
 * Says what a terminal executes (B102). With arguments, `command` is a program. Without, it is a program
 * if there is one of that name, even with spaces in it, and else a line for `/bin/sh -c`: some agents put
 * the whole line there. A file that is there and is not executable is still taken for a program, so that
 * the error says so.
 *
 * Only looks; the policy sees exactly what it returns.
 *
 * @param environment of the command; its PATH is searched.
 * @param cwd of the command; names with a slash start there.
 */
export function toCommand(
  { command, args = [] }: Pick<CreateTerminalRequest, 'command' | 'args'>,
  environment: Readonly<Record<string, string>>,
  cwd: string,
): Command {
  if (args.length > 0 || isProgram(command, environment['PATH'] ?? PATH_DEFAULT, cwd)) {
    return { argv: [command, ...args], isShellLine: false };
  }
  return { argv: [...SHELL, command], isShellLine: true };
}

function isProgram(command: string, searchPath: string, cwd: string): boolean {
  if (command.includes('/')) return isFile(resolve(cwd, command));
  return searchPath.split(delimiter).some((folder) => isExecutable(resolve(cwd, folder, command)));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Whatever keeps the host from seeing it: it cannot be executed by this name.
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}
