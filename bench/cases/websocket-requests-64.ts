import { webSocketRoundTrips } from '../fixtures/websocket-round-trips.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What a request costs over WebSocket when many are under way. */
export default {
  title: 'session/set_mode over WebSocket, 64 in flight',
  unit: 'round trip',
  count: { full: 10_000, quick: 3_000 },
  contestants: webSocketRoundTrips(64),
} satisfies BenchCase;
