import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeJournalContract } from '../../../../../tests/contracts/journal-contract.ts';
import { openSqliteJournal } from './sqlite-journal.ts';

async function createStore() {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-journal-'));
  return {
    open: () => openSqliteJournal({ file: join(folder, 'journal.db') }),
    dispose: () => rm(folder, { recursive: true }),
  };
}

describeJournalContract('sqlite', createStore, { isShared: true });
