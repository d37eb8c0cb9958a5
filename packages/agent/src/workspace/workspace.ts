import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** A path that was found to be inside the workspace, with every symbolic link resolved. */
export type GuardedPath = string & { readonly brand: 'GuardedPath' };

/** Why something cannot be done, for the model and the user. */
export interface Refusal {
  readonly refused: string;
}

/** Whether a result is a {@link Refusal}. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value;
}

/** The directories a session may work in. Relative paths always start at the first one, its cwd. */
export class Workspace {
  readonly cwd: string;
  readonly #roots: readonly string[];

  private constructor(cwd: string, roots: readonly string[]) {
    this.cwd = cwd;
    this.#roots = roots;
  }

  /** Opens directories that exist; a directory that does not is refused. */
  static async open(cwd: string, others: readonly string[] = []): Promise<Workspace | Refusal> {
    const roots: string[] = [];
    for (const path of [cwd, ...others]) {
      if (!isAbsolute(path)) return { refused: `${path || 'an empty path'} is not absolute` };
      const root = await realDirectory(path);
      if (root === undefined) return { refused: `${path} is not a directory` };
      roots.push(root);
    }
    return new Workspace(roots[0] ?? cwd, roots);
  }

  /** The path as a tool may use it; it need not exist. Links are followed, also the last one. */
  async guard(path: string): Promise<GuardedPath | Refusal> {
    return this.#guardWith(path, realTarget);
  }

  /** Like {@link guard} for the directory entry itself: if the path names a link, it is the link. */
  async guardEntry(path: string): Promise<GuardedPath | Refusal> {
    return this.#guardWith(path, async (absolute) => {
      const parent = await realTarget(dirname(absolute));
      return parent === undefined ? undefined : join(parent, basename(absolute));
    });
  }

  /** Whether this is one of the workspace's own directories, which no tool may move or delete. */
  isRoot(path: GuardedPath): boolean {
    return this.#roots.includes(path);
  }

  /** A path as it is shown to people. */
  shown(path: string): string {
    const absolute = resolve(this.cwd, path);
    for (const base of [this.cwd, this.#roots[0] ?? this.cwd]) {
      if (isInside(base, absolute)) return relative(base, absolute) || '.';
    }
    return absolute;
  }

  async #guardWith(
    path: string,
    toReal: (absolute: string) => Promise<string | undefined>,
  ): Promise<GuardedPath | Refusal> {
    if (path.includes('\0')) return { refused: 'a path holds a zero byte' };
    const real = await toReal(resolve(this.cwd, path));
    if (real === undefined) return { refused: `${path} is a link that leads nowhere` };
    if (this.#roots.some((root) => isInside(root, real))) return real as GuardedPath;
    return { refused: `${path} is outside of the workspace` };
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

async function realDirectory(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await lstat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The real path of what may not exist yet: that of the nearest directory above which does, and the
 * rest. Undefined if a link on the way leads nowhere, because what it will lead to is not known.
 */
async function realTarget(absolute: string): Promise<string | undefined> {
  try {
    return await realpath(absolute);
  } catch {
    const isLink = await lstat(absolute).then(
      (entry) => entry.isSymbolicLink(),
      () => false,
    );
    const parent = dirname(absolute);
    if (isLink || parent === absolute) return undefined;
    const realParent = await realTarget(parent);
    return realParent === undefined ? undefined : join(realParent, basename(absolute));
  }
}
