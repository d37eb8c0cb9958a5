import { accessSync, constants, openSync, readSync, closeSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { HostError } from '../host-error.ts';

/** What was to be started. */
export interface SpawnRequest {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Says which part is missing. The system reports the same error for a missing program, a missing
 * interpreter and a missing working directory (B117).
 */
export function toSpawnError(request: SpawnRequest, cause: unknown): HostError {
  const { command, cwd, environment } = request;
  const program = command[0] ?? '';
  const searchPath = environment['PATH'] ?? '';
  if (!isDirectory(cwd)) {
    return new HostError('cwd_invalid', `The working directory ${cwd} does not exist`, { cause });
  }
  if (program === '') {
    return new HostError('agent_spawn_failed', 'The agent has no command to start', { cause });
  }
  const path = findProgram(program, searchPath, cwd);
  if (path === undefined) {
    return new HostError('agent_spawn_failed', `The program "${program}" was not found`, {
      cause,
      ...(program.includes('/') ? {} : { hint: `PATH of the agent: ${searchPath}` }),
    });
  }
  if (isDirectory(path)) {
    return new HostError('agent_spawn_failed', `${path} is a directory, not a program`, { cause });
  }
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'EACCES') {
    return new HostError('agent_spawn_failed', `${path} is not executable`, { cause });
  }
  const interpreter = readInterpreter(path);
  if (code === 'ENOENT' && interpreter !== undefined) {
    const message = `${path} names the interpreter ${interpreter}, which was not found`;
    return new HostError('agent_spawn_failed', message, { cause });
  }
  const why = cause instanceof Error ? cause.message : String(cause);
  return new HostError('agent_spawn_failed', `${path} could not be started: ${why}`, { cause });
}

function findProgram(program: string, searchPath: string, cwd: string): string | undefined {
  if (program.includes('/')) {
    const path = isAbsolute(program) ? program : join(cwd, program);
    return exists(path) ? path : undefined;
  }
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find(exists);
}

function exists(path: string): boolean {
  try {
    accessSync(path, constants.F_OK);
    return true;
  } catch {
    return false;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The program named in a script's first line. */
function readInterpreter(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const head = Buffer.alloc(256);
    const length = readSync(file, head, 0, head.length, 0);
    return /^#!\s*(\S+)/.exec(head.toString('latin1', 0, length))?.[1];
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
