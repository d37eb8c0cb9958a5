import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  boundTranscript,
  decodeEvent,
  decodeTranscript,
  encodeTranscript,
  toTranscript,
  type SessionId,
  type StoredEntry,
} from '@signalbox/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteJournal } from '../../packages/host/src/index.ts';
import { SNAPSHOT_LIMITS } from '../../packages/host/src/serving/log-view/attach.ts';
import { readAll } from '../contracts/journal/store.ts';
import { Follower } from './follower.ts';
import { Stage } from './stage.ts';

const UPDATES = 200;
const LENGTH = 400_000;
/** What the store may be larger than the whole output is: so often, and by so many bytes. */
const FACTOR_MAX = 4;
const EXTRA_BYTES_MAX = 256 * 1024;

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-resent-'));
  file = join(folder, 'journal.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const openJournal = () => openSqliteJournal({ file, durability: 'process' });

/** Runs a turn whose one tool call is told {@link UPDATES} times, with a client that follows it. */
async function runTurn(stage: Stage) {
  const live = await Follower.connect(stage);
  const { sessionId } = await live.call<{ sessionId: SessionId }>('session/new', {
    cwd: stage.folder,
    mcpServers: [],
  });
  const session = await stage.host.openSession(sessionId);
  await live.attach(sessionId, { after: 'start' });
  const entries: StoredEntry[] = [];
  const followed = (async () => {
    for await (const page of session.follow(0)) {
      entries.push(...page);
      if (page.some(({ body }) => body.includes('"turn.finished"'))) return;
    }
  })();
  const text = JSON.stringify({ updates: UPDATES, length: LENGTH });
  await live.call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  await followed;
  return { live, sessionId, entries };
}

it(
  'output that is sent again with each update is stored about once, and told exactly (B180)',
  { timeout: 60_000 },
  async () => {
    const stage = await Stage.open({ agent: 'resends-output', journal: await openJournal() });
    const { live, sessionId, entries } = await runTurn(stage);
    const told = live.events.map(({ seq, event }) => ({ seq, event }));
    expect(told).toEqual(entries.map(({ seq, body }) => ({ seq, event: decodeEvent(body) })));
    expect(live.types.filter((type) => type === 'update')).toHaveLength(UPDATES + 1);

    const late = await Follower.connect(stage);
    const { snapshot } = await late.attach(sessionId);
    const { transcript } = snapshot as { transcript: unknown };
    const folded = toTranscript(told);
    expect(decodeTranscript(transcript)).toEqual(boundTranscript(folded, SNAPSHOT_LIMITS));
    await late.until(() => late.hasCaughtUp);
    expect(late.events).toEqual([]);

    // The log has each of them, and a client that merges does not need them.
    const merging = await Follower.connect(stage);
    await merging.attach(sessionId, { after: 'start', merge: true });
    await merging.until(() => merging.hasCaughtUp);
    expect(merging.types.filter((type) => type === 'update').length).toBeLessThanOrEqual(3);
    expect(encodeTranscript(toTranscript(merging.events))).toEqual(encodeTranscript(folded));

    const editor = await stage.connect();
    await editor.load(sessionId, stage.folder);
    expect(editor.story.filter((word) => word.startsWith('tool_call'))).toEqual([
      'tool_call: run completed',
    ]);

    await stage.host.close();
    const lengths = entries.reduce((sum, { body }) => sum + body.length, 0);
    expect(lengths).toBeGreaterThan((UPDATES / 2) * LENGTH);
    expect(statSync(file).size).toBeLessThan(FACTOR_MAX * LENGTH + EXTRA_BYTES_MAX);
    const journal = await openJournal();
    const stored = await readAll(journal, sessionId);
    await journal.close();
    expect(stored.slice(0, entries.length)).toEqual(entries.map(({ body }) => body));
  },
);
