import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RefusalReason } from './problem.ts';

/** Where a path leads. */
export interface Destination {
  /** The deepest part that exists, without links. */
  readonly existing: string;
  /** Names below it that do not exist; empty when everything does. */
  readonly missing: readonly string[];
  /** What `existing` is. `other`: a pipe, socket or device. */
  readonly kind: EntryKind;
}

export type EntryKind = 'file' | 'directory' | 'other';

/** Where the walk ended, and why. */
export interface DeadEnd {
  readonly reason: RefusalReason;
  /** The last place that was looked at, without links. */
  readonly at: string;
}

/** The kernel's own limit. */
const LINKS_MAX = 40;

/**
 * Follows an absolute path as the kernel does: name by name, through every link, with `..` taken from
 * where a link has led. Unlike `realpath` it also says where a path leads that does not exist (yet), so
 * a dangling link is judged by its target.
 */
export async function walk(path: string): Promise<Destination | DeadEnd> {
  let existing = '/';
  let kind: EntryKind = 'directory';
  let links = 0;
  const missing: string[] = [];
  const names = toNames(path);
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (kind !== 'directory') return { reason: 'not_a_directory', at: existing };
    if (name === '.' || name === '..') {
      // From a place that does not exist the kernel goes nowhere, not even back.
      if (missing.length > 0) return { reason: 'missing', at: existing };
      if (name === '..') existing = dirname(existing);
      continue;
    }
    if (missing.length > 0) {
      missing.push(name);
      continue;
    }
    const place = join(existing, name);
    const entry = await look(place);
    if (typeof entry === 'string') return { reason: entry, at: existing };
    if (entry === undefined) {
      missing.push(name);
    } else if (entry.isSymbolicLink()) {
      if (++links > LINKS_MAX) return { reason: 'link_loop', at: existing };
      const target = await readTarget(place);
      if (target === undefined) return { reason: 'missing', at: existing };
      if (target.startsWith('/')) existing = '/';
      names.push(...toNames(target));
    } else {
      existing = place;
      kind = kindOf(entry);
    }
  }
  return { existing, missing, kind };
}

/** In reverse, to be taken from the end. A slash at the end asks for a directory, as `/.` does. */
function toNames(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '');
  if (path.endsWith('/')) names.push('.');
  return names.reverse();
}

async function look(place: string): Promise<Stats | undefined | RefusalReason> {
  try {
    return await lstat(place);
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'ENOENT':
        return undefined;
      case 'ENOTDIR':
        return 'not_a_directory';
      case 'EACCES':
      case 'EPERM':
        return 'no_access';
      case 'ENAMETOOLONG':
        return 'path_invalid';
      default:
        return 'io';
    }
  }
}

/** Undefined: the link has gone since it was seen. */
async function readTarget(place: string): Promise<string | undefined> {
  try {
    return await readlink(place);
  } catch {
    return undefined;
  }
}

function kindOf(entry: Stats): EntryKind {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'directory' : 'other';
}
