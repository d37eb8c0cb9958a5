import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { DirectoryHandle, nameOf } from './directory-handle.ts';
import type { GuardedPath } from './guard.ts';
import { FileProblem, fromSystemError } from './problem.ts';

/** A file's content, and what it takes to see that it is still the same. */
export interface FileBytes {
  readonly bytes: Buffer;
  /** Differs after any change of the content or of the file behind the name. */
  readonly identity: string;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/**
 * Reads a whole file from disk, never from a cache (B90). Never waits for somebody else, as opening a
 * pipe would (B101).
 *
 * @throws FileProblem `missing`, `not_a_file`, `changed`, `too_large`, `no_access`, `io`.
 */
export async function readBytes(guarded: GuardedPath, bytesMax: number): Promise<FileBytes> {
  const directory = await DirectoryHandle.parentOf(guarded);
  try {
    return await readEntry(directory, guarded, bytesMax);
  } catch (error) {
    throw fromSystemError(error, guarded.path);
  } finally {
    await directory.close();
  }
}

/** Says which file this is and in which state, from the system's exact times. */
export function toIdentity({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

async function readEntry(
  directory: DirectoryHandle,
  guarded: GuardedPath,
  bytesMax: number,
): Promise<FileBytes> {
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const file = await open(directory.entry(nameOf(guarded)), flags);
  try {
    await directory.proveAfterUse();
    const stat = await file.stat({ bigint: true });
    if (!stat.isFile()) {
      throw new FileProblem('not_a_file', guarded.path, `${guarded.path} is not a regular file`);
    }
    // Looked at first: what changes while it is read then counts as changed.
    const identity = toIdentity(stat);
    const bytes = await readAll(file, Number(stat.size), bytesMax);
    if (bytes === undefined) throw tooLarge(guarded.path, Number(stat.size), bytesMax);
    const [mode, uid, gid] = [stat.mode & 0o777n, stat.uid, stat.gid].map(Number);
    return { bytes, identity, mode: mode ?? 0, uid: uid ?? 0, gid: gid ?? 0 };
  } finally {
    await file.close();
  }
}

/** Undefined: there is more than the maximum. The size is a guess, for a file may grow meanwhile. */
async function readAll(
  file: FileHandle,
  size: number,
  bytesMax: number,
): Promise<Buffer | undefined> {
  if (size > bytesMax) return undefined;
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > bytesMax) return undefined;
    if (length === buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2 + 65_536, bytesMax + 1));
      buffer.copy(larger);
      buffer = larger;
    }
  }
}

function tooLarge(path: string, size: number, bytesMax: number): FileProblem {
  const message = `${path} has ${size} bytes; files of at most ${bytesMax} bytes can be used here`;
  return new FileProblem('too_large', path, message, { details: { size, bytesMax } });
}
