import { markedProcesses, signalGroup, signalIfThere } from './process-tree.ts';

/** An agent that runs. */
interface LiveAgent {
  readonly pid: number;
  readonly sessionId: string;
}

const live = new Set<LiveAgent>();
let isListening = false;

/**
 * Kills an agent, what it has started and the commands of its session when the host's process ends without having
 * ended it, as on a second Ctrl-C: a process group of its own would go on. A process that is killed cannot do so;
 * then the next one that opens the sessions does.
 *
 * @returns forgets the agent; to be called when it was ended.
 */
export function endWithHost(agent: LiveAgent): () => void {
  live.add(agent);
  if (!isListening) {
    isListening = true;
    process.on('exit', killAll);
  }
  return () => live.delete(agent);
}

function killAll(): void {
  for (const { pid, sessionId } of live) {
    signalGroup(pid, 'SIGKILL');
    for (const marked of markedProcesses(sessionId)) signalIfThere(marked, 'SIGKILL');
  }
}
