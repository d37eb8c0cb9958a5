import { resentOutput } from '../fixtures/resent-output.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What a session takes on the disk whose agent sends all output so far with each update (B180). */
export default {
  title: 'updates that each tell all of the output so far, while it grows to 1.5 MB',
  unit: 'update',
  count: { full: 1_000, quick: 250 },
  rounds: 1,
  warmsUp: false,
  contestants: [
    resentOutput('host, log on disk, one client', { figuresMax: { 'times last update': 5 } }),
  ],
} satisfies BenchCase;
