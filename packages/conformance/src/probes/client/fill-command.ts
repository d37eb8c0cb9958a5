import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { TransportKind } from '../../transport-kind.ts';

/** What stands in the places of a client's command. */
export interface Filling {
  /** For `{agent}` and `{agent...}`: the agent's command line. Empty where there is none to start. */
  readonly agent: readonly string[];
  /** For `{url}`. Empty where the agent is started. */
  readonly url: string;
  /** For `{transport}`. */
  readonly transport: TransportKind;
  /** For `{prompt}`. */
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

/** Puts the agent, wherever it is, and the prompt into the command of a client. */
export function fillCommand(
  command: readonly string[],
  { agent, url, transport, prompt }: Filling,
): readonly string[] {
  const line = agent.map(quote).join(' ');
  return command.flatMap((part) =>
    part === '{agent...}'
      ? agent
      : [
          part
            .replaceAll('{agent}', line)
            .replaceAll('{url}', url)
            .replaceAll('{transport}', transport)
            .replaceAll('{prompt}', prompt),
        ],
  );
}

/** A part of a command line as a shell, or a client that splits like one, reads it back. */
function quote(part: string): string {
  return /^[A-Za-z0-9_./:=@%+-]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`;
}
