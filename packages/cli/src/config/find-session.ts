import type { SessionId } from '@signalbox/core';
import { HostError, type Host } from '@signalbox/host';
import { UsageError } from '../usage-error.ts';

/** Finds a session by its id, by the beginning of it, or by `last` for the newest one. */
export async function findSession(host: Host, named: string): Promise<SessionId> {
  if (named === 'last') {
    const [newest] = await host.listSessions({ order: 'newest', limit: 1 });
    if (newest !== undefined) return newest.sessionId;
    throw new HostError('session_not_found', 'There is no session yet');
  }
  const found = await host.findSessions(named, 2);
  const [first, second] = found;
  if (first === undefined) {
    throw new HostError('session_not_found', `There is no session ${named}`, {
      hint: 'See "signalbox sessions list".',
    });
  }
  if (second !== undefined && first.sessionId !== named) {
    throw new UsageError(`"${named}" is the beginning of several session ids; write more of it`);
  }
  return first.sessionId;
}
