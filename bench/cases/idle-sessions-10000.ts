import { askAmong, idle, openSessions } from '../fixtures/idle-connections.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** Whether a server that has many sessions is still quick, and what each of them costs. */
export default {
  title: '10,000 sessions in the host of one server, idle (heap after collection)',
  unit: 'session',
  count: { full: 10_000, quick: 2_000 },
  rounds: 1,
  warmsUp: false,
  contestants: [
    idle({
      name: 'host with its log on disk',
      role: 'ours',
      promise: { figuresMax: { 'heap KiB each': 12, 'list ms': 100, 'attach ms': 300 } },
      server: 'door-server.ts',
      open: openSessions,
      then: askAmong,
    }),
  ],
} satisfies BenchCase;
