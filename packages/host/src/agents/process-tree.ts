import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { SESSION_MARK } from './environment.ts';
import { listPids } from './process-identity.ts';

/**
 * Signals a process and everything in its process group. Agents are started as leaders of a group of
 * their own, so this reaches their children unless those left the group.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  signalIfThere(process.platform === 'win32' ? pid : -pid, signal);
}

/** A process can start children until it is gone, so looking once is not enough. */
const SWEEPS_MAX = 20;
const SWEEP_MS = 10;

/**
 * Kills every process that carries the mark of this session, wherever in the process tree it went,
 * and looks again until none is found. This finds daemons that left the agent's process group (Linux
 * only). Nothing may be started for the session meanwhile.
 */
export async function sweepSession(sessionId: string): Promise<void> {
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    const found = markedProcesses(sessionId);
    if (found.length === 0) return;
    for (const pid of found) signalIfThere(pid, 'SIGKILL');
    await delay(SWEEP_MS);
  }
}

/** Pids of running processes whose environment carries the mark of this session. */
export function markedProcesses(sessionId: string): number[] {
  const mark = `${SESSION_MARK}=${sessionId}`;
  return listPids().filter((pid) => pid !== process.pid && readEnvironment(pid).includes(mark));
}

function readEnvironment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // The process ended meanwhile, or belongs to somebody else.
    return [];
  }
}

/** Signals one process, if it is there and ours. */
export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Nothing is left to signal, which is what was wanted, or what is left belongs to somebody else.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
