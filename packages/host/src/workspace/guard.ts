import { join } from 'node:path';
import type { Refusal, RefusalReason } from './problem.ts';
import { rootOf, type Root, type Roots } from './roots.ts';
import { walk, type Destination } from './walk.ts';

/** What a file is to be opened for. */
export type Intent = 'read' | 'write';

declare const GUARDED: unique symbol;

/**
 * A path that was checked. Only {@link guard} and {@link guardDirectory} make one, and files are opened
 * by nothing else. What it says was true when it was checked; opening it proves it again.
 */
export interface GuardedPath<Use extends Intent | 'enter' = Intent> {
  readonly [GUARDED]: Use;
  /** As it was asked for. */
  readonly path: string;
  /** Where it leads: absolute, without links, within `root`. */
  readonly realPath: string;
  readonly root: Root;
  /** Whether it existed. Always true for reading and entering. */
  readonly exists: boolean;
  /** The deepest directory on the way that existed. It is within `root` too. */
  readonly directory: string;
}

/** The longest path of the system, in bytes. It also bounds the work that a path can make. */
const PATH_BYTES_MAX = 4096;

/**
 * Checks that a path leads to a regular file within the roots, or for writing to a place where one can
 * be made. Where it leads decides, not how it is spelled: links are followed at every level and may lead
 * anywhere within the roots, and nowhere else, also when their target does not exist.
 *
 * Files with several names (hard links) may be read: they cannot be told apart from others, and making
 * one needs access to the file already. Writing replaces the name within the roots only.
 */
export async function guard<Use extends Intent>(
  roots: Roots,
  path: string,
  intent: Use,
): Promise<GuardedPath<Use> | Refusal> {
  const found = await find(roots, path);
  if ('kind' in found) return found;
  const { destination, root, realPath } = found;
  const exists = destination.missing.length === 0;
  if (exists && destination.kind !== 'file') return refusal('not_a_file', path);
  if (!exists && intent === 'read') return refusal('missing', path, realPath);
  // A file where a directory is needed is found by the walk, so what exists is a directory.
  const directory = exists ? parentOf(realPath) : destination.existing;
  return { path, realPath, root, exists, directory } as GuardedPath<Use>;
}

/** Checks that a path leads to a directory within the roots, for a command to work in. */
export async function guardDirectory(
  roots: Roots,
  path: string,
): Promise<GuardedPath<'enter'> | Refusal> {
  const found = await find(roots, path);
  if ('kind' in found) return found;
  const { destination, root, realPath } = found;
  if (destination.missing.length > 0) return refusal('missing', path, realPath);
  if (destination.kind !== 'directory') return refusal('not_a_directory', path);
  return { path, realPath, root, exists: true, directory: realPath } as GuardedPath<'enter'>;
}

/** Whether the guard said no. */
export function isRefusal(result: GuardedPath<Intent | 'enter'> | Refusal): result is Refusal {
  return 'kind' in result;
}

interface Found {
  readonly destination: Destination;
  readonly root: Root;
  readonly realPath: string;
}

async function find(roots: Roots, path: string): Promise<Found | Refusal> {
  const isUsable =
    path.startsWith('/') &&
    !path.includes('\0') &&
    path.isWellFormed() &&
    Buffer.byteLength(path) < PATH_BYTES_MAX;
  if (!isUsable) return refusal('path_invalid', path);
  const end = await walk(path);
  if ('reason' in end) {
    // Nothing is told about places outside, not even whether they exist.
    return refusal(rootOf(roots, end.at) === undefined ? 'outside' : end.reason, path);
  }
  const realPath = join(end.existing, ...end.missing);
  const root = rootOf(roots, realPath);
  if (root === undefined) return refusal('outside', path);
  // The root itself is gone: what is left of the way to it is not the session's.
  if (rootOf(roots, end.existing) === undefined) return refusal('missing', path);
  return { destination: end, root, realPath };
}

function parentOf(realPath: string): string {
  return join(realPath, '..');
}

const MESSAGES: Readonly<Record<RefusalReason, (path: string) => string>> = {
  path_invalid: (path) =>
    path.startsWith('/')
      ? `"${shown(path)}" cannot be the path of a file`
      : `The path must be absolute, but is "${shown(path)}"`,
  outside: (path) => `${path} is outside the directories of this session`,
  missing: (path) => `${path} does not exist`,
  not_a_file: (path) => `${path} is not a regular file`,
  not_a_directory: (path) => `${path} is not a directory, or goes through something that is none`,
  link_loop: (path) => `${path} goes through links that lead in a circle`,
  no_access: (path) => `No access to ${path}`,
  io: (path) => `The system failed at ${path}`,
};

function refusal(reason: RefusalReason, path: string, realPath?: string): Refusal {
  const message = MESSAGES[reason](path);
  return {
    kind: 'refusal',
    reason,
    path,
    message,
    ...(realPath === undefined ? {} : { realPath }),
  };
}

function shown(path: string): string {
  const text = path.replaceAll('\0', '\\0').toWellFormed();
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
