import { stdioRoundTrips } from '../fixtures/round-trips.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What one request and its answer cost between two processes. */
export default {
  title: 'session/set_mode over stdio, one at a time',
  unit: 'round trip',
  count: { full: 4_000, quick: 1_000 },
  contestants: stdioRoundTrips(1),
} satisfies BenchCase;
