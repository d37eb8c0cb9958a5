import { once } from 'node:events';
import { parseCursor, type SessionId, type StoredEntry } from '@signalbox/core';
import type { Host } from '@signalbox/host';
import { loadConfig } from '../config/config.ts';
import { findSession } from '../config/find-session.ts';
import { openHost } from '../config/open-host.ts';
import { toJsonLine } from '../render/json-line.ts';
import { toLogLine } from '../render/log-line.ts';
import { chooseStyle } from '../render/style.ts';

/** Events read at a time. */
const PAGE_LENGTH = 256;

export interface LogOptions {
  readonly follow?: boolean;
  readonly raw?: boolean;
  /** Cursor of the last event that is known already. */
  readonly after?: string;
}

/** `signalbox log <session>`: one event a line, for people or (`--raw`) exactly as it is stored. */
export async function showLog(named: string, options: LogOptions): Promise<void> {
  const style = chooseStyle(process.stdout);
  const host = await openHost(loadConfig());
  try {
    const sessionId = await findSession(host, named);
    let seq = options.after === undefined ? 0 : parseCursor(sessionId, options.after).seq;
    for await (const entry of readAll(host, sessionId, seq, options.follow === true)) {
      seq = entry.seq;
      const line =
        options.raw === true ? toJsonLine(sessionId, entry) : toLogLine(sessionId, entry, style);
      if (!process.stdout.write(line)) await once(process.stdout, 'drain');
    }
  } finally {
    await host.close();
  }
}

async function* readAll(
  host: Host,
  sessionId: SessionId,
  afterSeq: number,
  follow: boolean,
): AsyncIterable<StoredEntry> {
  let seq = afterSeq;
  let wake: (() => void) | undefined;
  let headSeq = 0;
  const unwatch = follow
    ? host.watchLog(sessionId, (moved) => {
        headSeq = moved;
        wake?.();
      })
    : undefined;
  try {
    for (;;) {
      const page = await host.readLog(sessionId, seq, PAGE_LENGTH);
      yield* page;
      const last = page[page.length - 1];
      if (last !== undefined) seq = last.seq;
      else if (!follow) return;
      else if (headSeq <= seq) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    unwatch?.();
  }
}
