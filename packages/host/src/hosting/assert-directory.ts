import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { HostError } from '../host-error.ts';

/** @throws HostError `cwd_invalid` when this is no directory in which an agent could work. */
export function assertDirectory(cwd: string): void {
  if (!isAbsolute(cwd)) {
    throw new HostError('cwd_invalid', `The working directory ${cwd} is not absolute`);
  }
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new HostError('cwd_invalid', `The working directory ${cwd} does not exist`);
  }
  if (!found.isDirectory()) {
    throw new HostError('cwd_invalid', `The working directory ${cwd} is no directory`);
  }
}
