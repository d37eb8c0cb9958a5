import type { SessionSummary, SignalboxClient } from '@signalbox/client';

const PAGE_LENGTH = 500;
/** Sessions that are shown: those that changed last. */
export const SESSIONS_SHOWN_MAX = 500;
/** Pages that are read. The server tells the oldest session first, so the newest are behind all others. */
const PAGES_MAX = 100;

/** The sessions that changed last, the newest first. */
export async function readSessions(client: SignalboxClient): Promise<readonly SessionSummary[]> {
  let newest: SessionSummary[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await client.sessions.list({
      limit: PAGE_LENGTH,
      ...(after === undefined ? {} : { after }),
    });
    newest = [...newest, ...page.sessions]
      .sort((a, b) => b.updatedAt - a.updatedAt)
      .slice(0, SESSIONS_SHOWN_MAX);
    after = page.next;
    if (after === undefined) break;
  }
  return newest;
}
