import { hostLatency } from '../fixtures/host-latency.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** How much later a client sees an update because it is made durable first, at 1,000 a second. */
export default {
  title: "delay from an agent's write to an attached client's read, at 1,000 updates a second",
  unit: 'update',
  count: { full: 2_000, quick: 500 },
  rounds: 3,
  contestants: [
    hostLatency('through the host and its log on disk', 'ours'),
    hostLatency('connection only: no host, no log', 'limit'),
  ],
} satisfies BenchCase;
