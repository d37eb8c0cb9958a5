import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { lstat, readdir, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isSameProcess, processStartTime } from '../agents/process-identity.ts';
import type { DirectoryHandle } from './directory-handle.ts';

/** Place, pid and start time of the writer, and something random. */
const PATTERN = /^\.signalbox-write-([0-9a-f]{8})-(\d+)-(\d+|x)-[0-9a-f]{12}$/;

/** A file of a writer that cannot be asked whether it lives is left alone for so long. */
const FOREIGN_AGE_MS_MAX = 60 * 60 * 1000;

const PLACE = toPlace();

/** A new name for a file that is going to replace another. It says who is writing it. */
export function newTemporaryName(): string {
  const start = processStartTime(process.pid) ?? 'x';
  return `.signalbox-write-${PLACE}-${process.pid}-${start}-${randomBytes(6).toString('hex')}`;
}

/**
 * Removes what writers left in a directory that died before they could rename it. Files of running
 * writers stay. Never fails: it is nobody's purpose to be here.
 */
export async function removeLeftovers(directory: DirectoryHandle): Promise<void> {
  try {
    for (const name of await readdir(directory.entry('.'))) {
      if (await isLeftover(directory, name)) await unlink(directory.entry(name));
    }
  } catch {
    // Somebody else may be tidying up too; the next write comes by again.
  }
}

async function isLeftover(directory: DirectoryHandle, name: string): Promise<boolean> {
  const match = PATTERN.exec(name);
  if (match === null) return false;
  const [, place, pid, start] = match;
  if (place === PLACE) return !isSameProcess(Number(pid), start === 'x' ? null : (start ?? null));
  const { mtimeMs } = await lstat(directory.entry(name));
  return Date.now() - mtimeMs > FOREIGN_AGE_MS_MAX;
}

/** Where pids mean the same: this machine, since it was started, in this container. */
function toPlace(): string {
  const parts = [hostname(), read('/proc/sys/kernel/random/boot_id'), namespace()];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
