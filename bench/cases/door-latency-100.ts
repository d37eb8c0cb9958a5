import { doorLatency } from '../fixtures/door-latency.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** How much later a client elsewhere sees an update; ours is on disk before it is sent. */
export default {
  title: "delay from an agent's write to a remote client's read, at 100 updates a second",
  unit: 'update',
  count: { full: 80, quick: 50 },
  rounds: 3,
  contestants: doorLatency(100),
} satisfies BenchCase;
