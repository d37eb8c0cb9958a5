import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Journal } from '@signalbox/core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAll, rejectionOf, toEntries } from '../../../../../tests/contracts/journal/store.ts';
import { CUT_LENGTH_MIN } from './commit-rows.ts';
import { openDatabase } from './sqlite-database.ts';
import { openSqliteJournal } from './sqlite-journal.ts';

const FIRST = { generation: 1, expectedSeq: 0 };
/** Texts that a careless store would change, all along one long event. */
const EXACT = [
  '{"n":12345678901234567890,"f":1.0,"z":-0}',
  '{ "spaces" :\t[ 1 , 2 ]\r }',
  '\ufeff"\u2028\u2029\u0085\ufeff"',
  '"é e\u0301 日本 👩‍👩‍👧 \u{10ffff} \uffff"',
  '"\\u0000\\ud800\\n\\/"',
  '"nul \u0000 and \u0001 raw"',
];

let folder = '';
let file = '';
let journal: Journal;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-journal-'));
  file = join(folder, 'journal.db');
  journal = await openSqliteJournal({ file, durability: 'process' });
});
afterEach(async () => {
  await journal.close();
  rmSync(folder, { recursive: true });
});

/** So many lines of which no two are alike. */
function output(lines: number, from = 1): string {
  return Array.from({ length: lines }, (_, index) => `${(from + index) ** 3} ✓`).join('\\n');
}

/** Appends one event after the other, each in a batch of its own. */
async function appendEach(stream: string, bodies: readonly string[]): Promise<void> {
  for (const [expectedSeq, body] of bodies.entries()) {
    await journal.append(stream, { generation: 1, expectedSeq }, toEntries(body));
  }
}

/** Asks the file itself. */
function ask(sql: string): Record<string, unknown> {
  const db = openDatabase(file);
  try {
    return db.prepare(sql).get() as Record<string, unknown>;
  } finally {
    db.close();
  }
}

/** Changes the file behind the journal's back. */
function alter(sql: string): void {
  const db = openDatabase(file);
  db.exec(sql);
  db.close();
}

describe('a long event in a SQLite journal', () => {
  test('is given back exactly as it was', async () => {
    const bodies = EXACT.map((part) => part.repeat(CUT_LENGTH_MIN));
    await journal.append('one batch', FIRST, toEntries(...bodies));
    await appendEach('batches', bodies);
    for (const stream of ['one batch', 'batches']) {
      const stored = await readAll(journal, stream);
      expect(stored.map((body, index) => body === bodies[index])).toEqual(bodies.map(() => true));
    }
  });

  test('is cut from a certain length, and among others it has a row of its own', async () => {
    const bodies = [
      '1',
      'x'.repeat(CUT_LENGTH_MIN - 1),
      'x'.repeat(CUT_LENGTH_MIN),
      '4',
      '5',
      'y'.repeat(2 * CUT_LENGTH_MIN),
    ];
    await journal.append('a', FIRST, toEntries(...bodies));
    expect(await readAll(journal, 'a', 1)).toEqual(bodies);
    expect(await readAll(journal, 'a')).toEqual(bodies);
    const rows = ask(
      `SELECT group_concat(last_seq || iif(pieces IS NULL, '', ' cut'), ', ') AS rows FROM commits`,
    );
    expect(rows).toEqual({ rows: '2, 3 cut, 5, 6 cut' });
  });

  test('shares what it has in common with others of its stream, in whatever order they come', async () => {
    const versions = Array.from({ length: 40 }, (_, index) => {
      const lines = 1500 + 100 * index;
      return `{"title":"${lines} lines","output":"${output(lines)}"}`;
    });
    const whole = versions.at(-1)?.length ?? 0;
    const sum = versions.reduce((total, { length }) => total + length, 0);
    await appendEach('grows', versions);
    await appendEach('shrinks', versions.toReversed());
    expect(await readAll(journal, 'grows')).toEqual(versions);
    expect(await readAll(journal, 'shrinks')).toEqual(versions.toReversed());
    const { stored } = ask('SELECT sum(length(body)) AS stored FROM pieces');
    expect(sum).toBeGreaterThan(20 * whole);
    expect(stored).toBeGreaterThan(2 * whole);
    expect(stored).toBeLessThan(2 * (whole + 40 * 2000));
  });

  test('that is told again takes little more than a row', async () => {
    const body = output(20_000);
    await appendEach('a', [body, body]);
    const before = ask('SELECT count(*) AS pieces FROM pieces');
    await journal.append('a', { generation: 1, expectedSeq: 2 }, toEntries(body, body, body));
    expect(ask('SELECT count(*) AS pieces FROM pieces')).toEqual(before);
    expect(await readAll(journal, 'a')).toEqual([body, body, body, body, body]);
  });

  test('takes its pieces with it when its stream is deleted, and leaves those of others', async () => {
    const body = output(5000);
    await appendEach('a', [body]);
    const one = ask('SELECT count(*) AS pieces FROM pieces');
    await appendEach('b', [body]);
    await journal.delete('a');
    expect(ask('SELECT count(*) AS pieces FROM pieces')).toEqual(one);
    expect(ask('SELECT count(*) AS pieces FROM piece_digests')).toEqual(one);
    expect(await readAll(journal, 'b')).toEqual([body]);
    await appendEach('a', [body, '2']);
    await journal.delete('b');
    expect(await readAll(journal, 'a')).toEqual([body, '2']);
  });

  test('counts in a page with its own length, not with that of its list', async () => {
    const bodies = Array.from({ length: 5 }, (_, n) => `${n}${'x'.repeat(3 * 1024 * 1024)}`);
    await journal.append('a', FIRST, toEntries(...bodies));
    const pages = [];
    for (const afterSeq of [0, 2, 4]) pages.push(await journal.read('a', afterSeq, 100));
    expect(pages.map((page) => page.map(({ seq }) => seq))).toEqual([[1, 2], [3, 4], [5]]);
    expect(pages.flat().map(({ body }) => body)).toEqual(bodies);
  });

  test('is stored by whichever journal on the file has it, with the pieces of the other', async () => {
    const other = await openSqliteJournal({ file });
    const [short, long] = [output(5000), output(6000)];
    await journal.append('a', FIRST, toEntries(short));
    await other.append('a', { generation: 2, expectedSeq: 1 }, toEntries(long));
    // A stream that is deleted by one and made anew by it has nothing that the other one knew.
    await other.delete('a');
    await journal.append('a', FIRST, toEntries(long, short));
    expect(await readAll(other, 'a')).toEqual([long, short]);
    await other.close();
  });

  test('is given back whatever it shares with the others (property)', async () => {
    const part = fc.oneof(
      fc.record({
        unit: fc.constantFrom('x', '\\n', '🙂', 'é日'),
        times: fc.constantFrom(1, 300, 20_000),
      }),
      fc.record({
        unit: fc.constantFrom(output(50), output(400, 1000), output(3000)),
        times: fc.constantFrom(1, 2),
      }),
    );
    const body = fc
      .array(part, { maxLength: 6 })
      .map((parts) => parts.map(({ unit: one, times }) => one.repeat(times)).join('-'));
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(body, { maxLength: 3 }), { maxLength: 5 }),
        async (list) => {
          const stream = `run ${(run += 1)}`;
          let expectedSeq = 0;
          for (const bodies of list) {
            const at = { generation: 1, expectedSeq };
            expectedSeq = await journal.append(stream, at, toEntries(...bodies));
          }
          const stored = await readAll(journal, stream);
          expect(stored.length).toBe(list.flat().length);
          expect(list.flat().every((one, index) => one === stored[index])).toBe(true);
          await journal.delete(stream);
        },
      ),
      { numRuns: 40 },
    );
    expect(ask('SELECT count(*) AS pieces FROM pieces')).toEqual({ pieces: 0 });
  });
});

describe('a damaged long event', () => {
  const ITS_ROW = 'WHERE stream = 1 AND last_seq = 2';
  const CANNOT_BE_READ = 'event 2 of "session-7" cannot be read: ';

  test.each([
    [
      'a piece is missing',
      'DELETE FROM pieces WHERE key = 3',
      /^1 of its [0-9]+ pieces are missing$/,
    ],
    [
      'a piece is another one',
      `UPDATE pieces SET body = replace(body, '✓', '✗') WHERE key = 3`,
      /^its pieces do not give the text that was stored$/,
    ],
    [
      'its list is too short',
      `UPDATE commits SET pieces = substr(pieces, 1, 40) ${ITS_ROW}`,
      /^its pieces do not give the text that was stored$/,
    ],
    [
      'its list is empty',
      `UPDATE commits SET pieces = zeroblob(4) ${ITS_ROW}`,
      /^its pieces do not give the text that was stored$/,
    ],
    [
      'its list is no list',
      `UPDATE commits SET pieces = x'00' ${ITS_ROW}`,
      /^its list of pieces is damaged$/,
    ],
  ])('is refused with its place when %s, and the others can be read', async (_, sql, what) => {
    const bodies = ['1', output(5000), '3'];
    await journal.append('session-7', FIRST, toEntries(...bodies));
    await journal.append('session-8', FIRST, toEntries(...bodies));
    alter(sql);
    const refusal = await rejectionOf(journal.read('session-7', 0, 10));
    expect(refusal.code).toBe('journal_corrupt');
    expect(refusal.message).toContain(CANNOT_BE_READ);
    expect(refusal.message.split(CANNOT_BE_READ)[1]).toMatch(what);
    expect(await journal.read('session-7', 0, 1)).toEqual([{ seq: 1, body: '1' }]);
    expect(await journal.read('session-7', 2, 1)).toEqual([{ seq: 3, body: '3' }]);
    expect(await readAll(journal, 'session-8')).toEqual(bodies);
  });

  test('that stands for several is refused', async () => {
    await journal.append('session-7', FIRST, toEntries('1', output(5000)));
    alter('UPDATE commits SET last_seq = 3 WHERE last_seq = 2');
    const refusal = await rejectionOf(journal.read('session-7', 0, 10));
    expect(refusal.code).toBe('journal_corrupt');
    expect(refusal.message).toContain('events of "session-7" at 2 are missing');
  });
});

test('long events that are told again and again fill the file about once (B180)', async () => {
  const versions = Array.from({ length: 200 }, (_, index) => output(200 + 100 * index));
  await appendEach('a', versions);
  await journal.close();
  const size = statSync(file).size;
  const last = Buffer.byteLength(versions.at(-1) ?? '');
  expect(versions.reduce((sum, one) => sum + Buffer.byteLength(one), 0)).toBeGreaterThan(90 * last);
  expect(size).toBeLessThan(3 * last + 200_000);
});
