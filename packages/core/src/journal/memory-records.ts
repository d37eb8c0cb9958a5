import { CoreError } from '../core-error.ts';
import type { Records, StoredRecord } from './journal.ts';
import { compareText } from './text-order.ts';

/** Records in memory; `enter` runs a piece of work in its turn, or refuses it after close. */
export function createMemoryRecords(enter: <T>(work: () => T) => Promise<T>): Records {
  const stored = new Map<string, StoredRecord>();
  // One counter for all keys, so that a key deleted and made anew never gets an old revision back.
  let lastRevision = 0;

  function store(key: string, value: string): StoredRecord {
    lastRevision += 1;
    const record = { key, value, revision: lastRevision };
    stored.set(key, record);
    return record;
  }

  return {
    create: (key, value) =>
      enter(() => {
        assertWellFormed(key, value);
        if (stored.has(key)) throw conflict(`a record "${key}" exists already`);
        return store(key, value);
      }),
    get: (key) => enter(() => stored.get(key)),
    put: (key, value, revision) =>
      enter(() => {
        assertWellFormed(key, value);
        const found = stored.get(key);
        if (found?.revision !== revision) throw conflict(describeMismatch(key, found, revision));
        return store(key, value);
      }),
    delete: (key, revision) =>
      enter(() => {
        const found = stored.get(key);
        if (found !== undefined && revision !== undefined && found.revision !== revision) {
          throw conflict(describeMismatch(key, found, revision));
        }
        stored.delete(key);
      }),
    list: (prefix, { after, limit = Infinity, reverse = false } = {}) =>
      enter(() => {
        const inOrder = (a: string, b: string): number =>
          reverse ? compareText(b, a) : compareText(a, b);
        return [...stored.values()]
          .filter(({ key }) => key.startsWith(prefix))
          .filter(({ key }) => after === undefined || inOrder(key, after) > 0)
          .sort((a, b) => inOrder(a.key, b.key))
          .slice(0, limit);
      }),
  };
}

function assertWellFormed(...texts: string[]): void {
  for (const text of texts) {
    if (!text.isWellFormed()) throw new TypeError('a record holds half a surrogate pair');
  }
}

function describeMismatch(key: string, found: StoredRecord | undefined, wanted: number): string {
  const state = found === undefined ? 'does not exist' : `has revision ${found.revision}`;
  return `record "${key}" ${state}, expected revision ${wanted}`;
}

function conflict(message: string): CoreError {
  return new CoreError('record_conflict', message);
}
