import { describeJournalContract } from '../../../../tests/contracts/journal-contract.ts';
import { createMemoryJournal } from './memory-journal.ts';

describeJournalContract('memory', () =>
  Promise.resolve({
    open: () => Promise.resolve(createMemoryJournal()),
    dispose: () => Promise.resolve(),
  }),
);
