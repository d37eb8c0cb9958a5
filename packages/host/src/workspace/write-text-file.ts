import { constants } from 'node:fs';
import { access, lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { DirectoryHandle, nameOf } from './directory-handle.ts';
import type { GuardedPath } from './guard.ts';
import { changedProblem, FileProblem, fromSystemError } from './problem.ts';
import { toIdentity, type FileBytes } from './read-bytes.ts';
import { newTemporaryName, removeLeftovers } from './temporary-name.ts';

/** What a file is replaced by, and what is known of the one that is there. */
export interface Replacement {
  readonly bytes: Uint8Array;
  /** The file as it was read before; undefined when there was none. */
  readonly base: Omit<FileBytes, 'bytes'> | undefined;
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, W_OK } = constants;

/**
 * Writes a whole file so that, whatever happens, it holds either the old or the new content: a new file
 * in the same directory takes over the name when it is on disk. Missing directories are made first, and
 * stay when the write fails.
 *
 * The permission bits are kept, without set-user-id and set-group-id, which the system takes from files
 * that are written too; the owner is kept where the host may give files away. Extended attributes are
 * not kept. A file with several names (hard links) loses this one: the others, which may be outside the
 * roots, keep the old content.
 *
 * @throws FileProblem `conflict` when the file is not `base` any more; `no_access` when it is
 * write-protected; `changed`, `io`.
 */
export async function replaceFile(
  guarded: GuardedPath<'write'>,
  replacement: Replacement,
): Promise<void> {
  const directory = await DirectoryHandle.madeParentOf(guarded);
  try {
    await checkBase(directory, guarded, replacement);
    await removeLeftovers(directory);
    await replaceEntry(directory, guarded, replacement);
  } catch (error) {
    throw fromSystemError(error, guarded.path);
  } finally {
    await directory.close();
  }
}

async function replaceEntry(
  directory: DirectoryHandle,
  guarded: GuardedPath<'write'>,
  replacement: Replacement,
): Promise<void> {
  const temporary = directory.entry(newTemporaryName());
  // Nobody else may read it before it has the permissions of the file that it replaces.
  const mode = replacement.base === undefined ? 0o666 : 0o600;
  const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    await fill(file, replacement);
    await directory.proveAfterUse();
    // As late as possible: between this and the renaming nothing waits.
    await checkBase(directory, guarded, replacement);
    await rename(temporary, directory.entry(nameOf(guarded)));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await directory.sync();
}

async function fill(file: FileHandle, { bytes, base }: Replacement): Promise<void> {
  try {
    await file.writeFile(bytes);
    if (base !== undefined) {
      await keepOwner(file, base);
      await file.chmod(base.mode);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

async function keepOwner(file: FileHandle, { uid, gid }: Omit<FileBytes, 'bytes'>): Promise<void> {
  const own = await file.stat();
  if (own.uid === uid && own.gid === gid) return;
  try {
    await file.chown(uid, gid);
  } catch (error) {
    // Only the system's administrator may give files away.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

async function checkBase(
  directory: DirectoryHandle,
  guarded: GuardedPath<'write'>,
  { base }: Replacement,
): Promise<void> {
  const { path } = guarded;
  const entry = directory.entry(nameOf(guarded));
  const stat = await lstat(entry, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stat === undefined && base === undefined) return;
  if (stat !== undefined && !stat.isFile()) throw changedProblem(path);
  if (stat === undefined || base === undefined || toIdentity(stat) !== base.identity) {
    const message = `${path} changed while it was being written; read it again`;
    throw new FileProblem('conflict', path, message);
  }
  // Renaming needs no permission of the file itself, so its protection is looked after here.
  if ((base.mode & 0o222) === 0) {
    throw new FileProblem('no_access', path, `${path} is write-protected`);
  }
  await access(entry, W_OK);
}
