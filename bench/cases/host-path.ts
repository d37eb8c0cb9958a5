import { hostPath } from '../fixtures/host-path.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** The whole way of an update: the agent's process, the host, the durable log, an attached client. */
export default {
  title: "updates from an agent's process through the host and its durable log to a client",
  unit: 'update',
  count: { full: 20_000, quick: 5_000 },
  contestants: [
    hostPath({ name: 'host, log on disk, one client', role: 'ours', followers: 1 }),
    hostPath({ name: 'host, log on disk, ten clients', role: 'ours', followers: 10 }),
    hostPath({
      name: 'host, log in memory, one client',
      role: 'other',
      followers: 1,
      inMemory: true,
    }),
    hostPath({ name: 'connection only: no host, no log', role: 'limit', followers: 0 }),
  ],
} satisfies BenchCase;
