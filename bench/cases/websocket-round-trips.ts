import { webSocketRoundTrips } from '../fixtures/websocket-round-trips.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What one request and its answer cost over WebSocket. */
export default {
  title: 'session/set_mode over WebSocket, one at a time',
  unit: 'round trip',
  count: { full: 4_000, quick: 1_000 },
  contestants: webSocketRoundTrips(1),
} satisfies BenchCase;
