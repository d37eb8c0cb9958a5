import type { SessionId } from '@signalbox/core';
import type { Clock } from '@signalbox/host';
import { cutPage, toPageText } from './event-text.ts';
import type { LogReader } from './log-reader.ts';

/** How a page is read. */
export interface PageOptions {
  readonly sessionId: SessionId;
  /** Most events on the page. */
  readonly limit: number;
  /** How long to wait for an event if there is none, in ms. */
  readonly waitMs: number;
  readonly clock: Clock;
  /** Aborted when nobody is to be waited for. */
  readonly signal: AbortSignal;
}

/** About how long the events of one page are together, in UTF-16 units. */
const PAGE_LENGTH_MAX = 4 * 1024 * 1024;

/** The next events as JSON; without events if there are none, or none came in time. */
export async function readPage(reader: LogReader, options: PageOptions): Promise<string> {
  const { sessionId, limit, waitMs, clock, signal } = options;
  let entries = await reader.read(limit);
  if (entries.length === 0 && waitMs > 0) {
    await reader.whenMoved(clock, waitMs, signal);
    entries = await reader.read(limit);
  }
  const page = cutPage(entries, PAGE_LENGTH_MAX);
  const seq = page[page.length - 1]?.seq ?? reader.seq;
  const isAtHead = page.length === entries.length && (await reader.read(1)).length === 0;
  return toPageText(sessionId, page, { seq, isAtHead });
}
