import { journalAppends } from '../fixtures/journal-appends.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What a durable event costs, by how many come at once. */
export default {
  title: 'events appended to the SQLite journal, durable (synchronous=FULL)',
  unit: 'event',
  count: { full: 4_096, quick: 1_024 },
  contestants: [
    journalAppends({ name: 'one at a time', groupLength: 1, scale: 1 }),
    journalAppends({ name: 'batches of 32', groupLength: 32, scale: 8 }),
    journalAppends({ name: 'batches of 256', groupLength: 256, scale: 16 }),
    journalAppends({
      name: '64 sessions at once, one event each',
      groupLength: 1,
      streams: 64,
      scale: 4,
    }),
  ],
} satisfies BenchCase;
