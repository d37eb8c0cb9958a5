import { httpRoundTrips } from '../fixtures/http-clients.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What one request costs over HTTP, whose answer comes on a stream. */
export default {
  title: 'session/set_mode over HTTP, one at a time',
  unit: 'round trip',
  count: { full: 2_000, quick: 500 },
  contestants: httpRoundTrips({ ours: 2, sdk: 1, raw: 4 }),
} satisfies BenchCase;
