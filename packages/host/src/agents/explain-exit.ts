import { isPeerError, PeerError } from '@signalbox/acp';
import { agentExitText } from '@signalbox/core';
import type { ProcessExit } from './agent-process.ts';

/**
 * Says of a call that failed because the agent's process is gone how that has ended (B21).
 *
 * @param error what the call failed with.
 * @param ended gives the end of the process; asked for only where the connection has ended.
 * @returns what is to be thrown instead: for every other failure the error itself.
 */
export async function explainExit(
  error: unknown,
  ended: () => Promise<ProcessExit>,
): Promise<unknown> {
  if (!isPeerError(error, 'closed')) return error;
  const exit = await ended();
  const tail = exit.stderrTail.trim() === '' ? '' : `; its last words: ${exit.stderrTail.trim()}`;
  const message = `the agent's process ${agentExitText(exit)}${tail}`;
  return new PeerError('closed', message, { cause: error });
}
