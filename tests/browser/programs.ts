import { findProgram, howToInstall, type ProgramName } from '../../scripts/system-packages.mjs';

/** The path of a program. @throws Error that says how to install it: no test is skipped for its lack. */
export function program(name: ProgramName): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(howToInstall([name]));
  return path;
}
