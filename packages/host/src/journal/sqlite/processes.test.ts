import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAll } from '../../../../../tests/contracts/journal/store.ts';
import { seqReached } from '../../../../../tests/contracts/journal/watches.ts';
import { openDatabase } from './sqlite-database.ts';
import { openSqliteJournal } from './sqlite-journal.ts';

const WRITER = fileURLToPath(
  new URL('../../../../../tests/fixtures/journal-writer.mjs', import.meta.url),
);
const FORMAT_1 = fileURLToPath(
  new URL('../../../../../tests/fixtures/journal-format-1.sql', import.meta.url),
);
const KILLS = 20;
const KILLS_OF_LONG_EVENTS = 6;
const TIMEOUT_MS = 120_000;

let folder = '';
let file = '';
const children = new Set<ChildProcess>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-journal-'));
  file = join(folder, 'journal.db');
});
afterEach(() => {
  // Only after a failed test is one of them still there.
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Runs the fixture; kills it with SIGKILL when it has printed `killAfter` lines. */
async function runWriter(mode: string, options: { count?: number; killAfter?: number } = {}) {
  const { count = 0, killAfter = Infinity } = options;
  const args = ['--conditions=@signalbox/source', WRITER, file, mode, String(count)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  const exited = once(child, 'exit').finally(() => children.delete(child));
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8');
  for await (const chunk of child.stdout) {
    const parts = (rest + String(chunk)).split('\n');
    // A line that the kill cut off was not printed, so it does not count.
    rest = parts.pop() ?? '';
    lines.push(...parts);
    if (lines.length >= killAfter) child.kill('SIGKILL');
  }
  await exited;
  return { code: child.exitCode, lines };
}

describe('a SQLite journal used by several processes', () => {
  test(
    'loses no append and no record, and lets each place have one winner',
    async () => {
      const count = 60;
      const writers = [1, 2, 3].map(() => runWriter('contend', { count }));
      const journal = await openSqliteJournal({ file });
      const reached = seqReached(journal, 'shared', 3 * count);
      const runs = await Promise.all(writers);
      await reached;
      expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
      const lines = runs.flatMap(({ lines: printed }) => printed);
      const events = lines.filter((line) => line.startsWith('event ')).map((line) => line.slice(6));
      expect((await readAll(journal, 'shared')).sort()).toEqual(events.sort());
      const records = lines.filter((line) => line.startsWith('record '));
      expect(new Set(records).size).toBe(count);
      expect(records).toHaveLength(count);
      await journal.close();
    },
    TIMEOUT_MS,
  );

  test(
    'is brought up to date once when all of them open an older one',
    async () => {
      writeFileSync(file, '');
      const db = openDatabase(file);
      db.exec(readFileSync(FORMAT_1, 'utf8'));
      db.close();
      const runs = await Promise.all([1, 2, 3, 4].map(() => runWriter('contend', { count: 3 })));
      expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
      const journal = await openSqliteJournal({ file });
      expect(await journal.head('shared')).toMatchObject({ seq: 12 });
      expect(await journal.head('old')).toEqual({ seq: 3, generation: 5 });
      await journal.close();
    },
    TIMEOUT_MS,
  );

  test('does not keep a process alive that forgot to close it', async () => {
    expect(await runWriter('forget')).toEqual({ code: 0, lines: ['appended'] });
    const journal = await openSqliteJournal({ file });
    expect(await journal.head('a')).toEqual({ seq: 1, generation: 1 });
    await journal.close();
  });
});

describe('a SQLite journal whose writer is killed', () => {
  test(
    `has every acknowledged event, without gaps, after each of ${KILLS} kills`,
    async () => {
      for (let round = 0; round < KILLS; round += 1) {
        // The place varies with the round, the moment within a commit by itself.
        const killAfter = 1 + ((round * 37) % 200);
        const { code, lines } = await runWriter('flood', { killAfter });
        expect(code).toBe(null);
        expect(lines.length).toBeGreaterThanOrEqual(killAfter);
        const db = openDatabase(file);
        expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
        db.close();
        await expectAcknowledged(lines);
      }
    },
    TIMEOUT_MS,
  );

  test(
    'has long events whole, and no piece of another one',
    async () => {
      for (let round = 0; round < KILLS_OF_LONG_EVENTS; round += 1) {
        const { lines } = await runWriter('grow', { killAfter: 1 + ((round * 7) % 20) });
        const journal = await openSqliteJournal({ file });
        const bodies = await readAll(journal, 'long', 1000);
        await journal.close();
        expect(bodies.length).toBeGreaterThanOrEqual(Number(lines.at(-1)));
        expect(bodies).toEqual(bodies.map((_, index) => longBody(index + 1)));
        expectNoStrayPieces();
      }
    },
    TIMEOUT_MS,
  );
});

/** The event that the fixture appends as the stream's `seq`th. */
function longBody(seq: number): string {
  return JSON.stringify(Array.from({ length: 4000 + seq * 50 }, (_, index) => index));
}

/** Every digest has its piece and the other way round, and the newest piece is in the newest events. */
function expectNoStrayPieces(): void {
  const db = openDatabase(file);
  const stray = db.prepare(
    'SELECT piece FROM piece_digests FULL JOIN pieces ON piece = key WHERE key IS NULL OR piece IS NULL',
  );
  expect(stray.all()).toEqual([]);
  const text = (sql: string) => (db.prepare(sql).get() as { text: string }).text;
  const newest = text('SELECT body AS text FROM pieces ORDER BY key DESC LIMIT 1');
  const { seq } = db.prepare('SELECT max(last_seq) AS seq FROM commits').get() as { seq: number };
  db.close();
  expect(longBody(seq)).toContain(newest);
}

async function expectAcknowledged(lines: readonly string[]): Promise<void> {
  const journal = await openSqliteJournal({ file });
  for (const stream of ['a', 'b', 'c']) {
    const bodies = await readAll(journal, stream, 1000);
    const expected = bodies.map((_, index) => `{"stream":"${stream}","seq":${index + 1}}`);
    expect(bodies).toEqual(expected);
    expect((await journal.head(stream)).seq).toBe(bodies.length);
    const acknowledged = lines
      .filter((line) => line.startsWith(`${stream} `))
      .map((line) => Number(line.slice(2)));
    expect(bodies.length).toBeGreaterThanOrEqual(Math.max(0, ...acknowledged));
  }
  await journal.close();
}
