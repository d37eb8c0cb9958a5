import { readdirSync, readFileSync } from 'node:fs';

/** The process groups that commands run in and that have not ended. */
const running = new Set<CommandTree>();
let isListening = false;

/**
 * A command with everything it started: its process group, and on Linux also descendants that have
 * left the group. What cuts every tie to it, as a daemon does, is not found.
 */
export class CommandTree {
  readonly #leader: number;
  /** Descendants outside of the group; their parents may be gone when they have to be killed. */
  readonly #strays = new Map<number, string>();

  /** @param leader the process that was started as the leader of a group of its own. */
  constructor(leader: number) {
    this.#leader = leader;
    running.add(this);
    if (isListening) return;
    isListening = true;
    // A group of its own would outlive this process.
    process.on('exit', () => {
      for (const tree of running) tree.signal('SIGKILL');
    });
  }

  /** Notes the descendants that there are now, to find them also when their parents are gone. */
  remember(): void {
    for (const { pid, startedAt } of descendants(this.#leader)) this.#strays.set(pid, startedAt);
  }

  signal(signal: NodeJS.Signals): void {
    this.remember();
    send(-this.#leader, signal);
    for (const [pid, startedAt] of this.#strays) {
      // A number may have been given to another process by now.
      if (readProcess(pid)?.startedAt === startedAt) send(pid, signal);
    }
  }

  /** Kills what is left and forgets the tree. */
  end(): void {
    this.signal('SIGKILL');
    running.delete(this);
  }
}

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly startedAt: string;
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // It has ended by itself.
  }
}

/** Processes below one, by the parents that the system names; none where it does not tell. */
function descendants(root: number): ProcessEntry[] {
  const entries = listProcesses();
  const found: ProcessEntry[] = [];
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const below = entries.filter(({ parent }) => parent === pid);
    found.push(...below);
    open.push(...below.map((entry) => entry.pid));
  }
  return found;
}

function listProcesses(): ProcessEntry[] {
  if (process.platform !== 'linux') return [];
  try {
    const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
    return pids.map(readProcess).filter((entry) => entry !== undefined);
  } catch {
    return [];
  }
}

function readProcess(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything, so the fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(fields[1]), startedAt: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}
