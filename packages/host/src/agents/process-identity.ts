import { readdirSync, readFileSync } from 'node:fs';

/**
 * When a process started, as the system counts it; null where the system does not tell. A pid together
 * with it names one process for ever, whereas a pid alone is given out again.
 */
export function processStartTime(pid: number): string | null {
  return readStat(pid)?.startTime ?? null;
}

/** Whether this very process is still running. A process that has ended but is not reaped is not. */
export function isSameProcess(pid: number, startTime: string | null): boolean {
  const stat = readStat(pid);
  if (stat !== undefined) return !hasEnded(stat) && stat.startTime === startTime;
  // Without /proc there is no start time to compare; then nothing is claimed to be the same.
  return startTime === null && process.platform !== 'linux' && canSignal(pid);
}

/** Whether anything in this process group still runs. Members that only wait to be reaped do not. */
export function isGroupAlive(groupId: number): boolean {
  if (process.platform === 'win32') return canSignal(groupId);
  if (!canSignal(-groupId)) return false;
  if (process.platform !== 'linux') return true;
  return listPids().some((pid) => {
    const stat = readStat(pid);
    return stat !== undefined && stat.group === groupId && !hasEnded(stat);
  });
}

/** Pids of all processes; none where the system has no /proc. */
export function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

interface Stat {
  readonly state: string;
  readonly group: number;
  readonly startTime: string;
}

function readStat(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The second field is the program's name in parentheses and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, group, startTime] = [fields[0], fields[2], fields[19]];
  if (state === undefined || group === undefined || startTime === undefined) return undefined;
  return { state, group: Number(group), startTime };
}

/** A zombie has ended; it only waits for its parent to ask how. */
function hasEnded({ state }: Stat): boolean {
  return state === 'Z' || state === 'X';
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
