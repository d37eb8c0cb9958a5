import type { Host, SessionSummary } from '@signalbox/host';
import { ProblemError } from '../problem/problem.ts';

/** The session of this id; undefined when there is none. */
export async function findSession(host: Host, id: string): Promise<SessionSummary | undefined> {
  const [first] = await host.findSessions(id, 1);
  return first?.sessionId === id ? first : undefined;
}

/** @throws ProblemError 404 when there is no session of this id. */
export async function getSession(host: Host, id: string): Promise<SessionSummary> {
  const found = await findSession(host, id);
  if (found !== undefined) return found;
  throw new ProblemError({
    status: 404,
    code: 'session_not_found',
    detail: `There is no session ${toShown(id)}. See "signalbox sessions list".`,
  });
}

const SHOWN_LENGTH_MAX = 60;

/** What a client called a session, for a message. */
function toShown(id: string): string {
  return JSON.stringify(id.slice(0, SHOWN_LENGTH_MAX));
}
