import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { GuardedPath } from './workspace.ts';

/** Directories that hold no work of the user. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Something found in a directory. Links are named but not followed. */
export interface WalkedEntry {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'other';
}

/** The entries of one directory, in order of their names. */
export async function readDirectory(directory: string): Promise<WalkedEntry[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => ({
      path: join(directory, entry.name),
      kind: entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : 'other',
    }));
}

/** Everything below a directory, parents first, without repositories' innards and dependencies. */
export async function* walk(
  directory: GuardedPath | string,
  signal: AbortSignal,
): AsyncGenerator<WalkedEntry, void> {
  for (const entry of await readDirectory(directory)) {
    if (signal.aborted) return;
    if (entry.kind === 'directory' && SKIPPED.has(basename(entry.path))) continue;
    yield entry;
    if (entry.kind !== 'directory') continue;
    try {
      yield* walk(entry.path, signal);
    } catch (error) {
      // A directory that vanished or may not be read does not spoil the rest.
      if (!('code' in (error as object))) throw error;
    }
  }
}
