import type { AgentExit } from './event.ts';

/** How an agent's process ended, in one sentence without a full stop; without what it said last. */
export function agentExitText({
  code,
  signal,
  cause,
}: Pick<AgentExit, 'code' | 'signal' | 'cause'>): string {
  const how = signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
  return cause === undefined
    ? `the agent's process ended (${how})`
    : `the agent's process was ended, since ${cause} (${how})`;
}
