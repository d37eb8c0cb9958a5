import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { HostError } from '../host-error.ts';

/** A directory that a session may work in. */
export interface Root {
  /** As it was given. */
  readonly path: string;
  /** Without links; what paths are compared with. */
  readonly realPath: string;
}

/** The roots of a session. The first is its working directory. */
export type Roots = readonly [Root, ...Root[]];

/**
 * Resolves the roots of a session, once, when it starts. A root that is reached through a link is known
 * by its real path, so that paths in either spelling lead into it (B99). Doubles are dropped.
 *
 * @throws HostError `cwd_invalid` when one of them is not absolute, is missing or is no directory:
 * a root is never left out in silence (R-DIR-04).
 */
export async function resolveRoots(
  cwd: string,
  additionalDirectories: readonly string[] = [],
): Promise<Roots> {
  const first = await resolveRoot(cwd, 'working directory');
  const roots: [Root, ...Root[]] = [first];
  for (const path of additionalDirectories) {
    const root = await resolveRoot(path, 'additional directory');
    if (!roots.some(({ realPath }) => realPath === root.realPath)) roots.push(root);
  }
  return roots;
}

/** The root that holds this real path, or is it; of nested ones the first. */
export function rootOf(roots: Roots, realPath: string): Root | undefined {
  return roots.find((root) => isWithin(root.realPath, realPath));
}

async function resolveRoot(path: string, what: string): Promise<Root> {
  if (!isAbsolute(path) || path.includes('\0')) {
    throw new HostError('cwd_invalid', `The ${what} must be an absolute path, but is "${path}"`);
  }
  try {
    const realPath = await realpath(path);
    if ((await stat(realPath)).isDirectory()) return { path, realPath };
  } catch (cause) {
    throw new HostError('cwd_invalid', `The ${what} ${path} does not exist`, { cause });
  }
  throw new HostError('cwd_invalid', `The ${what} ${path} is not a directory`);
}

/** Compares whole components: `/t/application` is not within `/t/app` (B98). */
function isWithin(root: string, realPath: string): boolean {
  return realPath === root || realPath.startsWith(root.endsWith('/') ? root : `${root}/`);
}
