import { memoryRoundTrips } from '../fixtures/round-trips.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What a request and its answer cost when agent and client are in one process. */
export default {
  title: 'session/set_mode within one process, one at a time',
  unit: 'round trip',
  count: { full: 6_000, quick: 2_000 },
  contestants: memoryRoundTrips(1),
} satisfies BenchCase;
