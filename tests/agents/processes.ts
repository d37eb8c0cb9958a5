import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that runs. */
export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** How long processes that were killed may take to be gone, in ms. */
const GONE_MS_MAX = 3000;

/**
 * Processes whose home is `home`, which is how an agent's whole family is known: they may have left its
 * process group and dropped the host's mark, but they need their home.
 */
export function processesWithHome(home: string): FoundProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(`HOME=${home}`))
    .map((pid) => ({
      pid: Number(pid),
      command: read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim(),
    }));
}

/** The same after a while in which they may end. */
export async function remainingWithHome(home: string): Promise<FoundProcess[]> {
  const deadline = performance.now() + GONE_MS_MAX;
  let found = processesWithHome(home);
  while (found.length > 0 && performance.now() < deadline) {
    await delay(50);
    found = processesWithHome(home);
  }
  return found;
}

/** Ends what is left, so that one agent does not disturb the next. */
export function killAll(found: readonly FoundProcess[]): void {
  for (const { pid } of found) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It ended meanwhile, or belongs to somebody else.
    return '';
  }
}
