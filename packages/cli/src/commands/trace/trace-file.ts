import { lstatSync, mkdirSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { dataFolder, type Config } from '../../config/config.ts';
import { UsageError } from '../../usage-error.ts';
import { say } from './say.ts';

/** A trace file that is being written. */
export interface TraceFile {
  readonly path: string;
  /** Writes whole lines at once, so that they survive the end of this process. Never throws. */
  append(lines: string): void;
}

/**
 * Makes the file for a trace, readable by its owner alone: prompts and files of the user go through a
 * connection. A file that exists is replaced, while one that another process writes lives on there.
 *
 * @param out a file, or an existing folder in which to make one; default: the data folder's `traces`.
 * @throws UsageError when it cannot be made.
 */
export function createTraceFile(
  config: Config,
  command: readonly string[],
  out: string | undefined,
): TraceFile {
  try {
    const { path, descriptor } =
      out === undefined || isFolder(out)
        ? openNew(out ?? join(dataFolder(config), 'traces'), command)
        : openNamed(resolve(out));
    return { path, append: appender(descriptor, path) };
  } catch (error) {
    throw new UsageError(`The trace cannot be written: ${(error as Error).message}`);
  }
}

interface Opened {
  readonly path: string;
  readonly descriptor: number;
}

/** Editors start several agents at once, so a name that is taken gets a number. */
function openNew(folder: string, command: readonly string[]): Opened {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  const program = basename(command[0] ?? '').replace(/[^A-Za-z0-9._-]+/g, '_');
  for (let count = 1; ; count++) {
    const path = join(folder, `${time}-${program}${count === 1 ? '' : `-${count}`}.ndjson`);
    try {
      return { path, descriptor: openSync(path, 'ax', 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function openNamed(path: string): Opened {
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (isFile) unlinkSync(path);
  return { path, descriptor: openSync(path, 'a', 0o600) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A full disk ends the recording, never the connection. */
function appender(descriptor: number, path: string): (lines: string) => void {
  let isBroken = false;
  return (lines) => {
    if (isBroken) return;
    try {
      const bytes = Buffer.from(lines);
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    } catch (error) {
      isBroken = true;
      say(`${path} ends here: ${(error as Error).message}`);
    }
  };
}
