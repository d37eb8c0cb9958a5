import type { AgentExit } from './event.ts';

/** How an agent's process ended, without what it said last; goes on behind "the agent's process". */
export function agentExitText({
  code,
  signal,
  cause,
}: Pick<AgentExit, 'code' | 'signal' | 'cause'>): string {
  const how = signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
  return cause === undefined ? `ended (${how})` : `was ended, since ${cause} (${how})`;
}
