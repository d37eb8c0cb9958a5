import { describe, expect, test } from 'vitest';
import { numbered, openJournal, readAll, toEntries } from './store.ts';
import type { JournalSetup } from './store.ts';

const FIRST = { generation: 1, expectedSeq: 0 };

/** Texts that a careless store would change. */
const EXACT = [
  '{"n":12345678901234567890,"f":1.0,"e":1E400,"z":-0}',
  '{ "spaces" :\t[ 1 , 2 ]\r }',
  '{"a":1,"a":2,"__proto__":{"b":3}}',
  '"\u2028\u2029\u0085\ufeff"',
  '"é e\u0301 日本 👩‍👩‍👧 \u{10ffff} \uffff"',
  '"\\u0000\\ud800\\n\\/"',
  '"nul \u0000 and \u0001 raw"',
  '""',
  '',
  ' ',
  'null',
];

export function describeReads(setup: JournalSetup): void {
  describe('read', () => {
    test('gives back every text exactly as it was', async () => {
      const journal = await openJournal(setup);
      await journal.append('one batch', FIRST, toEntries(...EXACT));
      for (const [expectedSeq, body] of EXACT.entries()) {
        await journal.append('batches', { generation: 1, expectedSeq }, toEntries(body));
      }
      expect(await readAll(journal, 'one batch')).toEqual(EXACT);
      expect(await readAll(journal, 'batches')).toEqual(EXACT);
    });

    test('pages from any place, also from the middle of a batch', async () => {
      const journal = await openJournal(setup);
      let expectedSeq = 0;
      for (const size of [1, 7, 2, 10]) {
        const at = { generation: 1, expectedSeq };
        expectedSeq = await journal.append('a', at, numbered(size, expectedSeq + 1));
      }
      const all = numbered(20).map(({ body }, index) => ({ seq: index + 1, body }));
      for (let afterSeq = 0; afterSeq <= 20; afterSeq += 1) {
        for (const limit of [1, 3, 100]) {
          const page = await journal.read('a', afterSeq, limit);
          expect(page).toEqual(all.slice(afterSeq, afterSeq + limit));
        }
      }
    });

    test('finds nothing in an unknown stream and behind the head', async () => {
      const journal = await openJournal(setup);
      await journal.append('a', FIRST, numbered(2));
      expect(await journal.read('unknown', 0, 10)).toEqual([]);
      expect(await journal.read('a', 2, 10)).toEqual([]);
      expect(await journal.read('a', 99, 10)).toEqual([]);
      expect(await journal.head('unknown')).toEqual({ seq: 0, generation: 0 });
    });

    test('gives a large event, alone or in a batch with others', async () => {
      const journal = await openJournal(setup);
      const large = `"${'é'.repeat(6 * 1024 * 1024)}"`;
      await journal.append('a', FIRST, toEntries('1', large, '3', large));
      await journal.append('a', { generation: 1, expectedSeq: 4 }, toEntries(large, '6'));
      const bodies = await readAll(journal, 'a');
      expect(bodies.map((body) => body.length)).toEqual(
        ['1', large, '3', large, large, '6'].map((body) => body.length),
      );
      expect(bodies[3] === large).toBe(true);
      const [first] = await journal.read('a', 1, 1);
      expect(first?.seq).toBe(2);
      expect(first?.body === large).toBe(true);
    });

    test('gives a long batch in order', async () => {
      const journal = await openJournal(setup);
      const bodies = Array.from({ length: 3000 }, (_, index) => `"${index} ${'x'.repeat(300)}"`);
      await journal.append('a', FIRST, toEntries(...bodies));
      expect(await readAll(journal, 'a', 700)).toEqual(bodies);
    });
  });
}
