import type { Session } from '../session/session.ts';

/**
 * Ends the agents that have been unused for longest, until no more than `agentsMax` of them are left. An
 * agent is unused while it does nothing, in a session that nobody has open.
 */
export function endUnusedAgents(
  sessions: Iterable<Pick<Session, 'unusedAgentSince' | 'endUnusedAgent'>>,
  agentsMax: number,
): void {
  const unused = [...sessions].flatMap((session) => {
    const since = session.unusedAgentSince;
    return since === undefined ? [] : [{ session, since }];
  });
  unused.sort((one, other) => other.since - one.since);
  for (const { session } of unused.slice(agentsMax)) session.endUnusedAgent();
}
