import { constants, existsSync } from 'node:fs';
import { mkdir, open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { GuardedPath, Intent } from './guard.ts';
import { changedProblem, fromSystemError } from './problem.ts';

/** Where Linux lets a process name what it has opened, whatever its path is by now. */
const OPENED = '/proc/self/fd';
const HAS_OPENED = existsSync(OPENED) && process.platform === 'linux';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/**
 * An open directory that was proved to be the one that was checked. Names in it are reached through the
 * handle, so that nobody can put a link in the place of a directory between check and use. Where the
 * system has no such names, the path is checked again after each use, which leaves a small gap.
 */
export class DirectoryHandle {
  readonly #handle: FileHandle;
  readonly #realPath: string;
  /** As it was asked for, for messages. */
  readonly #asked: string;

  private constructor(handle: FileHandle, realPath: string, asked: string) {
    this.#handle = handle;
    this.#realPath = realPath;
    this.#asked = asked;
  }

  /**
   * Opens the directory of a guarded file.
   *
   * @throws FileProblem `changed` when it is not what was checked, or what the system said.
   */
  static parentOf({ realPath, path }: GuardedPath): Promise<DirectoryHandle> {
    return DirectoryHandle.#open(join(realPath, '..'), path);
  }

  /** Like {@link parentOf}, and makes the directories that are missing, each within the one before. */
  static async madeParentOf(guarded: GuardedPath<'write'>): Promise<DirectoryHandle> {
    let directory = await DirectoryHandle.#open(guarded.directory, guarded.path);
    const way = relative(guarded.directory, join(guarded.realPath, '..'));
    for (const name of way === '' ? [] : way.split('/')) {
      const parent = directory;
      try {
        directory = await parent.#makeChild(name);
      } finally {
        await parent.close();
      }
    }
    return directory;
  }

  /** Opens a guarded directory itself. */
  static of({ realPath, path }: GuardedPath<'enter'>): Promise<DirectoryHandle> {
    return DirectoryHandle.#open(realPath, path);
  }

  static async #open(realPath: string, asked: string): Promise<DirectoryHandle> {
    let handle: FileHandle;
    try {
      handle = await open(realPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    } catch (error) {
      throw fromSystemError(error, asked);
    }
    const directory = new DirectoryHandle(handle, realPath, asked);
    try {
      await directory.#prove();
      return directory;
    } catch (error) {
      await directory.close();
      throw fromSystemError(error, asked);
    }
  }

  /** A path of the directory itself that keeps leading to it. */
  get path(): string {
    return HAS_OPENED ? `${OPENED}/${this.#handle.fd}` : this.#realPath;
  }

  /** A path of a name in this directory, to be used without following a link there. */
  entry(name: string): string {
    return `${this.path}/${name}`;
  }

  /** Checks again, where names are not reached through the handle, that it was the same directory. */
  async proveAfterUse(): Promise<void> {
    if (!HAS_OPENED) await this.#prove();
  }

  /** Makes new and renamed names in it survive a loss of power, where the system can. */
  async sync(): Promise<void> {
    try {
      await this.#handle.sync();
    } catch (error) {
      // Some file systems cannot; then there is nothing to be had.
      if (!NOT_SUPPORTED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #makeChild(name: string): Promise<DirectoryHandle> {
    try {
      await mkdir(this.entry(name));
      await this.sync();
    } catch (error) {
      // Somebody else made it; opening it tells whether it is a directory.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw fromSystemError(error, this.#asked);
      }
    }
    const handle = await this.#openChild(name);
    return new DirectoryHandle(handle, join(this.#realPath, name), this.#asked);
  }

  async #openChild(name: string): Promise<FileHandle> {
    try {
      const handle = await open(this.entry(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      await this.proveAfterUse();
      return handle;
    } catch (error) {
      throw fromSystemError(error, this.#asked);
    }
  }

  async #prove(): Promise<void> {
    if (HAS_OPENED) {
      if ((await readlink(this.path)) === this.#realPath) return;
    } else {
      const [real, held, now] = await Promise.all([
        realpath(this.#realPath),
        this.#handle.stat(),
        stat(this.#realPath),
      ]);
      if (real === this.#realPath && held.dev === now.dev && held.ino === now.ino) return;
    }
    throw changedProblem(this.#asked);
  }
}

const NOT_SUPPORTED: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EBADF', 'EPERM']);

/** The last name of a guarded path. */
export function nameOf({ realPath }: GuardedPath<Intent>): string {
  return realPath.slice(realPath.lastIndexOf('/') + 1);
}
