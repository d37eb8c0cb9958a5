import { constants } from 'node:fs';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { GuardedPath, Refusal } from './workspace.ts';

/** The largest file that is read as text, in bytes. */
export const TEXT_FILE_BYTES_MAX = 8 * 1024 * 1024;

/** A text file with everything that writing it back must keep. The BOM and line ends are in `text`. */
export interface TextFile {
  readonly path: GuardedPath;
  readonly text: string;
  readonly mode: number;
}

/**
 * Reads a file exactly: no line end, byte order mark or last newline is changed. What is not UTF-8 text
 * is refused, because writing it back would damage it.
 */
export async function readTextFile(path: GuardedPath, shown: string): Promise<TextFile | Refusal> {
  let handle;
  try {
    // Nothing on the path is a link any more; one that appears now is an attempt to get outside. Not
    // blocking keeps a named pipe from holding the turn up.
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return { refused: `${shown} cannot be read: ${fileProblem(error)}` };
  }
  try {
    const entry = await handle.stat();
    if (entry.isDirectory()) return { refused: `${shown} is a directory` };
    if (!entry.isFile()) return { refused: `${shown} is not a regular file` };
    if (entry.size > TEXT_FILE_BYTES_MAX) {
      return { refused: `${shown} has ${entry.size} bytes, more than ${TEXT_FILE_BYTES_MAX}` };
    }
    const text = decodeText(await handle.readFile());
    if (text === undefined) return { refused: `${shown} is not a text file in UTF-8` };
    return { path, text, mode: entry.mode & 0o7777 };
  } catch (error) {
    return { refused: `${shown} cannot be read: ${fileProblem(error)}` };
  } finally {
    await handle.close();
  }
}

/** Replaces a file's content whole or not at all, and keeps its mode. */
export async function replaceTextFile(file: TextFile, text: string): Promise<void> {
  await writeBeside(file.path, text, file.mode, (temporary) => rename(temporary, file.path));
}

/** Creates a file, and the directories above it. Throws `EEXIST` rather than replace anything. */
export async function createTextFile(path: GuardedPath, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeBeside(path, text, undefined, async (temporary) => {
    // A link, unlike a rename, fails if somebody else has created the file by now.
    await link(temporary, path);
    await rm(temporary);
  });
}

/** The text of a file's bytes, or undefined if they are no text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What is wrong with a file, in words. */
export function fileProblem(error: unknown): string {
  const { code } = error as { code?: string };
  return (code === undefined ? undefined : PROBLEMS[code]) ?? code ?? 'it failed';
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'access is denied',
  EPERM: 'it is not allowed',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  EEXIST: 'it exists already',
  ELOOP: 'it has become a link',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  ENOTEMPTY: 'the directory is not empty',
};

async function writeBeside(
  path: GuardedPath,
  text: string,
  mode: number | undefined,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(path), `.signalbox-${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx');
    try {
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    await place(temporary);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
