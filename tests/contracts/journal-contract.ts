import { describe } from 'vitest';
import { describeAppends } from './journal/appends.ts';
import { describeClosing } from './journal/closing.ts';
import { describeModel } from './journal/model.ts';
import { describeReads } from './journal/reads.ts';
import { describeRecords } from './journal/records.ts';
import { describeSharing } from './journal/sharing.ts';
import type { JournalSetup } from './journal/store.ts';
import { describeStreams } from './journal/streams.ts';
import { describeWatches } from './journal/watches.ts';

export type { JournalSetup, JournalStore } from './journal/store.ts';

/**
 * What every adapter of the Journal interface must keep. An adapter's test calls this once.
 *
 * @param setup makes a fresh, empty store; it is disposed of after each test.
 * @param options `isShared`: journals opened on one store, at once or one after the other, see the
 * same data. Adds the cases that need a second journal.
 */
export function describeJournalContract(
  name: string,
  setup: JournalSetup,
  options: { isShared?: boolean } = {},
): void {
  describe(`${name} journal`, () => {
    describeAppends(setup);
    describeReads(setup);
    describeRecords(setup);
    describeStreams(setup);
    describeWatches(setup);
    describeClosing(setup);
    describeModel(setup);
    if (options.isShared === true) describeSharing(setup);
  });
}
