import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

/** A folder for the time of a check. */
export interface Scratch {
  /** Its absolute path, without links. */
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes a scratch folder; it is removed also when this process ends before the check is over. */
export async function openScratch(): Promise<Scratch> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-check-')));
  // Agents may still be writing while they end.
  const options = { recursive: true, force: true, maxRetries: 3 };
  const forget = atExit(() => rmSync(path, options));
  const remove = async (): Promise<void> => {
    await rm(path, options);
    forget();
  };
  return { path, remove };
}
