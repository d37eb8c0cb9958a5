import type { Journal, StoredRecord } from '@signalbox/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openJournal, readAll, toEntries } from './store.ts';
import type { JournalSetup } from './store.ts';

const RUNS = 60;

const stream = fc.constantFrom('a', 'b');
const key = fc.constantFrom('k', 'k/1', 'l');
const small = fc.integer({ min: -1, max: 1 });

/** Positions and revisions are given relative to the right ones, so that most operations succeed. */
const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      stream,
      generationStep: small,
      seqError: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, small),
      bodies: fc.array(fc.json({ noUnicodeString: false }), { maxLength: 4 }),
    }),
  },
  fc.record({
    kind: fc.constant('read' as const),
    stream,
    after: fc.nat(12),
    limit: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ kind: fc.constant('delete' as const), stream }),
  fc.record({ kind: fc.constant('snapshot' as const), stream, seq: fc.nat(9) }),
  fc.record({ kind: fc.constant('create' as const), key, value: fc.json() }),
  fc.record({ kind: fc.constant('put' as const), key, value: fc.json(), isStale: fc.boolean() }),
  fc.record({ kind: fc.constant('remove' as const), key, isStale: fc.boolean() }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

interface ModelStream {
  readonly bodies: string[];
  generation: number;
}

/** The plainest thing that behaves like a journal. */
class Model {
  readonly streams = new Map<string, ModelStream>();
  readonly snapshots = new Map<string, number>();
  readonly records = new Map<string, StoredRecord>();

  stream(id: string): ModelStream {
    return this.streams.get(id) ?? { bodies: [], generation: 0 };
  }
}

export function describeModel(setup: JournalSetup): void {
  describe('random operations', () => {
    test('agree with a simple model', async () => {
      const journal = await openJournal(setup);
      let run = 0;
      const operations = fc.array(operation, { minLength: 1, maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(operations, async (list) => {
          // A name space per run instead of a store per run, which would cost seconds.
          const prefix = `run ${(run += 1)}/`;
          const model = new Model();
          for (const one of list) await applyToBoth(journal, model, prefix, one);
          await expectSame(journal, model, prefix);
        }),
        { numRuns: RUNS },
      );
    });
  });
}

async function applyToBoth(journal: Journal, model: Model, prefix: string, one: Operation) {
  switch (one.kind) {
    case 'append':
      return applyAppend(journal, model, prefix, one);
    case 'read': {
      const all = model.stream(one.stream).bodies.map((body, index) => ({ seq: index + 1, body }));
      const page = await journal.read(prefix + one.stream, one.after, one.limit);
      expect(page).toEqual(all.slice(one.after, one.after + one.limit));
      return;
    }
    case 'delete':
      await journal.delete(prefix + one.stream);
      model.streams.delete(one.stream);
      model.snapshots.delete(one.stream);
      return;
    case 'snapshot': {
      await journal.putSnapshot(prefix + one.stream, { seq: one.seq, format: '', state: '' });
      const kept = Math.max(one.seq, model.snapshots.get(one.stream) ?? 0);
      model.snapshots.set(one.stream, kept);
      return;
    }
    default:
      return applyToRecord(journal, model, prefix, one);
  }
}

async function applyAppend(
  journal: Journal,
  model: Model,
  prefix: string,
  { stream: id, generationStep, seqError, bodies }: Extract<Operation, { kind: 'append' }>,
) {
  const known = model.stream(id);
  const generation = Math.max(0, known.generation + generationStep);
  const expectedSeq = known.bodies.length + seqError;
  const appended = journal.append(prefix + id, { generation, expectedSeq }, toEntries(...bodies));
  if (generation < known.generation) {
    await expect(appended).rejects.toMatchObject({ code: 'stale_generation' });
  } else if (seqError !== 0) {
    await expect(appended).rejects.toMatchObject({ code: 'seq_conflict' });
  } else {
    expect(await appended).toBe(known.bodies.length + bodies.length);
    if (bodies.length === 0) return;
    known.bodies.push(...bodies);
    model.streams.set(id, { bodies: known.bodies, generation });
  }
}

async function applyToRecord(
  journal: Journal,
  model: Model,
  prefix: string,
  one: Extract<Operation, { kind: 'create' | 'put' | 'remove' }>,
) {
  const { records } = journal;
  const known = model.records.get(one.key);
  if (one.kind === 'create') {
    const created = records.create(prefix + one.key, one.value);
    if (known !== undefined) return expectConflict(created);
    model.records.set(one.key, await created);
    return;
  }
  const revision = one.isStale ? -1 : (known?.revision ?? -1);
  if (one.kind === 'put') {
    const put = records.put(prefix + one.key, one.value, revision);
    if (revision === -1) return expectConflict(put);
    model.records.set(one.key, await put);
    return;
  }
  const removed = records.delete(prefix + one.key, revision);
  if (known !== undefined && one.isStale) return expectConflict(removed);
  await removed;
  model.records.delete(one.key);
}

async function expectConflict(promise: Promise<unknown>): Promise<void> {
  await expect(promise).rejects.toMatchObject({ code: 'record_conflict' });
}

async function expectSame(journal: Journal, model: Model, prefix: string): Promise<void> {
  const ids = await journal.streams({ after: prefix, limit: 2 });
  const own = ids.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  expect(own).toEqual([...model.streams.keys()].sort());
  for (const id of ['a', 'b']) {
    const { bodies, generation } = model.stream(id);
    expect(await journal.head(prefix + id)).toEqual({ seq: bodies.length, generation });
    expect(await readAll(journal, prefix + id, 3)).toEqual(bodies);
    expect((await journal.snapshot(prefix + id))?.seq).toBe(model.snapshots.get(id));
  }
  const byKey = [...model.records.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  expect(await journal.records.list(prefix)).toEqual(byKey);
}
