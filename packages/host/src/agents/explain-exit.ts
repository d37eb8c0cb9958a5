import { isPeerError, PeerError } from '@signalbox/acp';
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
  const { code, signal, stderrTail } = await ended();
  const how = signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
  const tail = stderrTail.trim() === '' ? '' : `; its last words: ${stderrTail.trim()}`;
  return new PeerError('closed', `the agent's process ended (${how})${tail}`, { cause: error });
}
