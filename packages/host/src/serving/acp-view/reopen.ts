import { toStoredEvent, type CursorPlace, type SessionId, type StoredEvent } from '@signalbox/core';
import type { Host } from '../../hosting/host.ts';
import type { ServedSession } from '../served-session.ts';
import { AcpView } from './acp-view.ts';
import type { History } from './history.ts';
import type { Standing } from './standing.ts';

/** Events that are looked at before a cursor, to see whether the agent was repeating a prompt. */
const EVENTS_BEFORE = 64;

/** How a client that opens a session is told of it. */
export type Telling =
  /** Everything, from the beginning. */
  | { readonly kind: 'all'; readonly history: History }
  /** Nothing of what was. */
  | { readonly kind: 'nothing'; readonly standing: Standing }
  /** What is behind a place that the client names. */
  | { readonly kind: 'behind'; readonly place: CursorPlace; readonly standing: Standing };

/** What opening a session once more works with. */
export interface ReopenParts {
  readonly host: Host;
  readonly served: ServedSession<AcpView>;
  readonly log: (line: string) => void;
}

/**
 * Tells what has to come before the answer, and waits for a slow client. Nothing live is sent meanwhile.
 *
 * @returns tells the rest and what is live, once the answer is sent; nothing if the client has opened the
 *   session once more until then.
 */
export async function reopen(parts: ReopenParts, telling: Telling): Promise<() => void> {
  const { host, served, log } = parts;
  const { view, feed, session } = served;
  const isLatest = view.beginOpening();
  const follow = (standing: Standing, { seq, part } = { seq: standing.seq, part: 0 }): void => {
    if (!isLatest()) return;
    view.askAgain(standing);
    feed.start(seq, part);
  };
  switch (telling.kind) {
    case 'all': {
      const { history } = telling;
      await view.replay(history);
      return () => follow(history);
    }
    case 'behind': {
      const { place, standing } = telling;
      view.startAgain(place, await eventsBefore(host, session.id, place.seq), standing);
      return () => follow(standing, place);
    }
    case 'nothing': {
      const { standing } = telling;
      const tell = view.resume(standing);
      return () => {
        tell().then(
          () => follow(standing),
          (error: unknown) => {
            log(`session ${session.id}: ${String(error)}`);
            served.end();
          },
        );
      };
    }
  }
}

/** The client has lost what was sent behind a place. @returns sends it again. */
export async function rewind(
  host: Host,
  { view, feed, session }: ServedSession,
  place: CursorPlace,
): Promise<() => void> {
  await feed.hold();
  const { begin } = feed;
  const at = feed.placeBehind(place);
  if (at !== undefined && view instanceof AcpView) {
    const before = await eventsBefore(host, session.id, at.seq);
    // Otherwise the client opens the session once more, and has said where to begin.
    if (feed.begin === begin) view.startAgain(at, before);
  }
  return () => feed.release(begin, at);
}

async function eventsBefore(host: Host, sessionId: SessionId, seq: number): Promise<StoredEvent[]> {
  const from = Math.max(0, seq - EVENTS_BEFORE);
  const entries = await host.readLog(sessionId, from, EVENTS_BEFORE);
  return entries.filter((entry) => entry.seq <= seq).map(toStoredEvent);
}
