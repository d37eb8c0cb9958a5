import { stdioRoundTrips } from '../fixtures/round-trips.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What a request costs between two processes when many are under way. */
export default {
  title: 'session/set_mode over stdio, 64 in flight',
  unit: 'round trip',
  count: { full: 100_000, quick: 3_000 },
  contestants: stdioRoundTrips(64),
} satisfies BenchCase;
