import { toStoredEvent, type CursorPlace, type SessionId, type StoredEvent } from '@signalbox/core';
import type { Host } from '../../hosting/host.ts';
import type { ServedSession } from '../served-session.ts';
import type { AcpView } from './acp-view.ts';
import type { History } from './history.ts';

/** Events that are looked at before a cursor, to see whether the agent was repeating a prompt. */
const EVENTS_BEFORE = 64;

/** How a client that opens a session is told of it. */
export type Telling =
  /** Everything, from the beginning. */
  | { readonly kind: 'all' }
  /** Nothing of what was. */
  | { readonly kind: 'nothing' }
  /** What is behind a place that the client names. */
  | { readonly kind: 'behind'; readonly place: CursorPlace };

/** What opening a session once more works with. */
export interface ReopenParts {
  readonly host: Host;
  readonly served: ServedSession<AcpView>;
  readonly history: History;
  readonly log: (line: string) => void;
}

/**
 * Tells what has to come before the answer, and waits for a slow client. Nothing live is sent meanwhile.
 *
 * @returns tells the rest and what is live, once the answer is sent; nothing if the client has opened the
 *   session once more until then.
 */
export async function reopen(parts: ReopenParts, telling: Telling): Promise<() => void> {
  const { host, served, history, log } = parts;
  const { view, feed, session } = served;
  const isLatest = view.beginOpening();
  const follow = (seq: number): void => {
    if (!isLatest()) return;
    view.askAgain(history);
    feed.start(seq);
  };
  switch (telling.kind) {
    case 'all':
      await view.replay(history);
      return () => follow(history.seq);
    case 'behind': {
      const { place } = telling;
      view.startAgain(place, await eventsBefore(host, session.id, place.seq), history);
      return () => follow(place.seq);
    }
    case 'nothing': {
      const tell = view.resume(history);
      return () => {
        tell().then(
          () => follow(history.seq),
          (error: unknown) => {
            log(`session ${session.id}: ${String(error)}`);
            served.end();
          },
        );
      };
    }
  }
}

/** The client has lost what was sent behind a place, and is sent it again. */
export async function rewind(
  host: Host,
  { view, feed, session }: ServedSession<AcpView>,
  place: CursorPlace,
): Promise<() => void> {
  await feed.stop();
  view.startAgain(place, await eventsBefore(host, session.id, place.seq));
  return () => feed.start(place.seq);
}

async function eventsBefore(host: Host, sessionId: SessionId, seq: number): Promise<StoredEvent[]> {
  const from = Math.max(0, seq - EVENTS_BEFORE);
  const entries = await host.readLog(sessionId, from, EVENTS_BEFORE);
  return entries.filter((entry) => entry.seq <= seq).map(toStoredEvent);
}
