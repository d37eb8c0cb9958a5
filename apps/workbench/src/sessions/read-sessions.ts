import type { SessionPage, SignalboxClient } from '@signalbox/client';

/** Sessions that are shown at first, and that each "More" adds. */
export const SESSIONS_STEP = 100;

/** What the server gives in one answer. */
const PAGE_LENGTH_MAX = 500;

/** The sessions that were made last, the newest first: `count` of them; with `next` if there are more. */
export async function readSessions(client: SignalboxClient, count: number): Promise<SessionPage> {
  let found: SessionPage = { sessions: [] };
  do {
    const limit = Math.min(count - found.sessions.length, PAGE_LENGTH_MAX);
    const after = found.next === undefined ? {} : { after: found.next };
    const page = await client.sessions.list({ order: 'newest', limit, ...after });
    found = { ...page, sessions: [...found.sessions, ...page.sessions] };
  } while (found.next !== undefined && found.sessions.length < count);
  return found;
}
