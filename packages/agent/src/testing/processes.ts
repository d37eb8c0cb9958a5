import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'vitest';

/** The running processes that have a text in their command line. */
export async function processesWith(argument: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const [line, stat] = await Promise.all([
      readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''),
      readFile(`/proc/${name}/stat`, 'utf8').catch(() => ''),
    ]);
    const isZombie = stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
    if (line.includes(argument) && !isZombie) found.push(Number(name));
  }
  return found;
}

/**
 * Waits until no process has a text in its command line, and fails if one stays. The system ends a
 * killed process a moment after the kill, so looking once would sometimes still find it.
 */
export async function gone(argument: string): Promise<void> {
  await expect.poll(() => processesWith(argument), { timeout: 3000, interval: 5 }).toEqual([]);
}
