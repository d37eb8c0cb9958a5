import type { Records } from '@signalbox/core';
import { assertWellFormed } from './commit-rows.ts';
import type { Operation } from './operations.ts';
import type { JournalReader } from './reader.ts';

/** How the records reach the file: both reject after close and translate errors. */
export interface RecordAccess {
  readonly ask: <T>(question: (reader: JournalReader) => T) => Promise<T>;
  readonly write: (toOperation: () => Operation) => Promise<number>;
}

/** The journal's records, as rows of a table. */
export function createSqliteRecords({ ask, write }: RecordAccess): Records {
  return {
    async create(key, value) {
      const revision = await write(() => {
        assertRecord(key, value);
        return { kind: 'create_record', key, value };
      });
      return { key, value, revision };
    },
    get: (key) => ask((reader) => reader.record(key)),
    async put(key, value, revision) {
      const next = await write(() => {
        assertRecord(key, value);
        return { kind: 'put_record', key, value, revision };
      });
      return { key, value, revision: next };
    },
    async delete(key, revision) {
      await write(() => ({ kind: 'delete_record', key, revision }));
    },
    list: (prefix, options = {}) => ask((reader) => reader.records(prefix, options)),
  };
}

function assertRecord(key: string, value: string): void {
  assertWellFormed('a record key', key);
  assertWellFormed('a record value', value);
}
