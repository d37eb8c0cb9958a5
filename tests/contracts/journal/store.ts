import { isCoreError } from '@signalbox/core';
import type { CoreError, Journal, JournalEntry, StreamId } from '@signalbox/core';
import { expect, onTestFinished } from 'vitest';

/** A place that holds one journal's data for one test. */
export interface JournalStore {
  /** Opens a journal on the store; more than once only for stores that are shared. */
  open(): Promise<Journal>;
  /** Removes the data. Every journal is closed by then. */
  dispose(): Promise<void>;
}

/** Makes a fresh, empty store. */
export type JournalSetup = () => Promise<JournalStore>;

/** Opens journals on one fresh store; the test's end closes them and disposes of the store. */
export async function openStore(setup: JournalSetup): Promise<{ open(): Promise<Journal> }> {
  const store = await setup();
  const opened: Journal[] = [];
  onTestFinished(async () => {
    await Promise.all(opened.map((journal) => journal.close()));
    await store.dispose();
  });
  return {
    async open() {
      const journal = await store.open();
      opened.push(journal);
      return journal;
    },
  };
}

/** Opens one journal on a fresh store. */
export async function openJournal(setup: JournalSetup): Promise<Journal> {
  return (await openStore(setup)).open();
}

/** Entries with these bodies. */
export function toEntries(...bodies: string[]): JournalEntry[] {
  return bodies.map((body) => ({ body }));
}

/** `count` small, distinct entries. */
export function numbered(count: number, from = 1): JournalEntry[] {
  return Array.from({ length: count }, (_, index) => ({ body: `{"n":${from + index}}` }));
}

/** The bodies of a whole stream, read page by page; checks that the numbers have no gap. */
export async function readAll(journal: Journal, stream: StreamId, limit = 100): Promise<string[]> {
  const bodies: string[] = [];
  for (;;) {
    const page = await journal.read(stream, bodies.length, limit);
    if (page.length === 0) return bodies;
    expect(page.length).toBeLessThanOrEqual(limit);
    for (const { seq, body } of page) {
      bodies.push(body);
      expect(seq).toBe(bodies.length);
    }
  }
}

/** Expects a rejection with a CoreError of this code. */
export async function expectCode(promise: Promise<unknown>, code: string): Promise<void> {
  await expect(promise).rejects.toMatchObject({ name: 'CoreError', code });
}

/** The CoreError that a promise rejects with, for a closer look than its code. */
export async function rejectionOf(promise: Promise<unknown>): Promise<CoreError> {
  const reason: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isCoreError(reason)) throw new Error('no rejection with a CoreError', { cause: reason });
  return reason;
}
