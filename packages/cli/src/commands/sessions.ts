import { isAbsolute, relative } from 'node:path';
import { toPrintableLine } from '@signalbox/core';
import type { SessionSummary } from '@signalbox/host';
import { loadConfig } from '../config/config.ts';
import { findSession } from '../config/find-session.ts';
import { openHost } from '../config/open-host.ts';
import { chooseStyle } from '../render/style.ts';
import { showSession } from './show-session.ts';

/** Sessions read at a time. */
const PAGE_LENGTH = 200;

/** `signalbox sessions list`. */
export async function listSessions(options: { json?: boolean }): Promise<void> {
  const host = await openHost(loadConfig());
  try {
    let after: SessionSummary['sessionId'] | undefined;
    let count = 0;
    for (;;) {
      const page = await host.listSessions({
        limit: PAGE_LENGTH,
        ...(after === undefined ? {} : { after }),
      });
      for (const summary of page) {
        process.stdout.write(options.json === true ? toJson(summary) : toLine(summary));
      }
      count += page.length;
      after = page[page.length - 1]?.sessionId;
      if (after === undefined) break;
    }
    if (count === 0 && options.json !== true) process.stdout.write('No sessions yet.\n');
  } finally {
    await host.close();
  }
}

/** `signalbox sessions show <session>`. */
export async function showOneSession(named: string): Promise<void> {
  const host = await openHost(loadConfig());
  try {
    await showSession(host, await findSession(host, named), process.stdout);
  } finally {
    await host.close();
  }
}

/** `signalbox sessions delete <session>`. */
export async function deleteSession(named: string): Promise<void> {
  const host = await openHost(loadConfig());
  try {
    const sessionId = await findSession(host, named);
    await host.deleteSession(sessionId);
    process.stdout.write(`Deleted ${sessionId}\n`);
  } finally {
    await host.close();
  }
}

function toJson(summary: SessionSummary): string {
  return `${JSON.stringify(summary)}\n`;
}

function toLine(summary: SessionSummary): string {
  const style = chooseStyle(process.stdout);
  const { sessionId, agent, cwd, status, title, turnCount, updatedAt } = summary;
  const when = new Date(updatedAt).toISOString().replace('T', ' ').slice(0, 16);
  const turns = `${turnCount} ${turnCount === 1 ? 'turn' : 'turns'}`;
  const first = [style.bold(sessionId), status, turns, when].join('  ');
  const about = `${toPrintableLine(agent)}  ${toPrintableLine(shortPath(cwd))}`;
  return `${first}\n  ${style.dim(about)}\n  ${toPrintableLine(title)}\n`;
}

function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  if (short === '') return '.';
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
