import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryJournal, decodeEvent, type Journal, type StoredEntry } from '@signalbox/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteJournal, type Session } from '../../packages/host/src/index.ts';
import { command, Harness, textOf } from './harness.ts';

const COUNT = 100_000;
const MIB = 1024 * 1024;
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-flood-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Reads the session's log from `afterSeq` to the end of its first turn; `pause` holds it up. */
async function follow(session: Session, afterSeq: number, pause?: (seq: number) => Promise<void>) {
  const entries: StoredEntry[] = [];
  for await (const page of session.follow(afterSeq)) {
    for (const entry of page) entries.push(entry);
    if (page.some(({ body }) => decodeEvent(body).type === 'turn.finished')) break;
    await pause?.(entries.at(-1)?.seq ?? 0);
  }
  return entries;
}

test(
  'a flood of updates is in the log in order, bounded in memory, and the same for every follower',
  { timeout: 60_000 },
  async () => {
    const journal = await openSqliteJournal({
      file: join(folder, 'journal.db'),
      durability: 'process',
    });
    const harness = await Harness.open({ journal });
    const session = await harness.create('floods');
    const before = process.memoryUsage.rss();
    let highest = before;
    const outcome = session.prompt(command(`${COUNT}`));
    const watching = (async () => {
      // A follower that keeps no events sees how much memory everything else takes.
      for await (const page of session.follow(0)) {
        highest = Math.max(highest, process.memoryUsage.rss());
        if (page.some(({ body }) => body.includes('turn.finished'))) return;
      }
    })();
    await Promise.all([outcome, watching]);
    expect((highest - before) / MIB).toBeLessThan(300);
    const { end, seq } = await outcome;
    expect(end).toEqual({ kind: 'stopped', stopReason: 'end_turn' });
    expect(seq).toBe(COUNT + 4);
    const [late, later] = await Promise.all([follow(session, 0), follow(session, COUNT - 10)]);
    expect(late.map((entry) => entry.seq)).toEqual(Array.from({ length: seq }, (_, n) => n + 1));
    const texts = late
      .map(({ body }) => textOf(decodeEvent(body)))
      .filter((text) => text !== undefined);
    expect(texts).toEqual(Array.from({ length: COUNT }, (_, n) => `${n + 1}`));
    expect(later).toEqual(late.slice(COUNT - 10));
  },
);

test('an agent that is faster than the journal is held back', async () => {
  const memory = createMemoryJournal();
  let longest = 0;
  const journal: Journal = {
    ...memory,
    append: async (stream, at, entries) => {
      longest = Math.max(longest, entries.length);
      // Many turns of the event loop for one append, in each of which more could be read.
      for (let turn = 0; turn < 50; turn += 1) await new Promise((done) => setImmediate(done));
      return memory.append(stream, at, entries);
    },
  };
  const harness = await Harness.open({ journal });
  const session = await harness.create('floods');
  expect((await session.prompt(command('30000'))).seq).toBe(30_004);
  // The limit of the mailbox, and what one more read of the pipe can hold.
  expect(longest).toBeGreaterThan(1000);
  expect(longest).toBeLessThan(4096 + 1000);
});

test('followers that keep up, lag and start late all see the same', async () => {
  const journal = await openSqliteJournal({
    file: join(folder, 'journal.db'),
    durability: 'process',
  });
  const harness = await Harness.open({ journal });
  const session = await harness.create('floods');
  const outcome = session.prompt(command('10000'));
  // This one reads on only when the turn has ended, long behind what is kept in memory.
  const lagging = follow(session, 0, async () => void (await outcome));
  const prompt = follow(session, 0);
  const late = outcome.then(() => follow(session, 0));
  const [a, b, c] = await Promise.all([prompt, lagging, late]);
  expect(a).toHaveLength(10_004);
  expect(b).toEqual(a);
  expect(c).toEqual(a);
});

test('following ends when it is given up and when the session is closed', async () => {
  const harness = await Harness.open();
  const session = await harness.create('chunks');
  await session.prompt(command('1'));
  const stop = new AbortController();
  const seen: number[] = [];
  const following = (async () => {
    for await (const page of session.follow(0, stop.signal)) {
      for (const { seq } of page) seen.push(seq);
      if (seen.length === session.headSeq) stop.abort();
    }
  })();
  await following;
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  const untilClosed = (async () => {
    let last = 0;
    for await (const page of session.follow(5)) last = page.at(-1)?.seq ?? last;
    return last;
  })();
  await harness.host.closeSession(session.id);
  expect(await untilClosed).toBe(6);
});
