import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';

/** What stands in the place of `{agent}` and `{prompt}`. */
export interface Filling {
  readonly agent: readonly string[];
  readonly prompt: string;
}

/**
 * Makes the paths of files in a command absolute, since each run of a client has a directory of its own.
 */
export function anchorCommand(command: readonly string[], cwd: string): readonly string[] {
  return command.map((part) => {
    const isRelative = part.includes('/') && !isAbsolute(part) && !part.includes('{');
    return isRelative && existsSync(resolve(cwd, part)) ? resolve(cwd, part) : part;
  });
}

/** Puts the agent's command line and the prompt into the command of a client. */
export function fillCommand(
  command: readonly string[],
  { agent, prompt }: Filling,
): readonly string[] {
  return command.flatMap((part) =>
    part === '{agent...}'
      ? agent
      : [part.replaceAll('{agent}', agent.map(quote).join(' ')).replaceAll('{prompt}', prompt)],
  );
}

/** A part of a command line as a shell, or a client that splits like one, reads it back. */
function quote(part: string): string {
  return /^[A-Za-z0-9_./:=@%+-]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`;
}
