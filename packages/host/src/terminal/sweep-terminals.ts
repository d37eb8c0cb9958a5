import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { listPids } from '../agents/process-identity.ts';
import { TERMINAL_MARK } from './terminal-environment.ts';

/** A process can start children until it is gone, so looking once is not enough. */
const SWEEPS_MAX = 20;
const SWEEP_MS = 10;

/**
 * Kills every process that carries the mark of one of these terminals, wherever in the process tree it
 * went, and looks again until none is found. This finds daemons that left the command's process group
 * (Linux only). A process that cleaned its environment and left its group is found by neither; keeping
 * it in is the work of a sandbox.
 */
export async function sweepTerminals(terminalIds: readonly string[]): Promise<void> {
  const marks = new Set(terminalIds.map((id) => `${TERMINAL_MARK}=${id}`));
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    const found = listPids().filter((pid) => pid !== process.pid && carries(pid, marks));
    if (found.length === 0) return;
    for (const pid of found) killIfThere(pid);
    await delay(SWEEP_MS);
  }
}

function carries(pid: number, marks: ReadonlySet<string>): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return variables.some((variable) => marks.has(variable));
  } catch {
    // The process ended meanwhile, or belongs to somebody else.
    return false;
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, which is what was wanted.
  }
}
