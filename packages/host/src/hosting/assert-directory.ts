import { statSync, type Stats } from 'node:fs';
import { isAbsolute } from 'node:path';
import { HostError } from '../host-error.ts';

/** @throws HostError `cwd_invalid` when this is no directory in which an agent could work. */
export function assertDirectory(cwd: string): void {
  if (!isAbsolute(cwd)) {
    throw new HostError('cwd_invalid', `The working directory ${cwd} is not absolute`);
  }
  const found = lookAt(cwd);
  if (found === undefined) {
    throw new HostError('cwd_invalid', `The working directory ${cwd} does not exist`);
  }
  if (!found.isDirectory()) {
    throw new HostError('cwd_invalid', `The working directory ${cwd} is no directory`);
  }
}

/** Undefined: there is nothing. */
function lookAt(cwd: string): Stats | undefined {
  try {
    return statSync(cwd, { throwIfNoEntry: false });
  } catch (cause) {
    // Such as a name that is too long, or a folder that is not for this user.
    const { code } = cause as NodeJS.ErrnoException;
    const message = `The working directory ${cwd} cannot be used (${code ?? String(cause)})`;
    throw new HostError('cwd_invalid', message, { cause });
  }
}
