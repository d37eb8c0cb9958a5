import {
  idle,
  openHttpStreams,
  openLogStreams,
  openSdkStreams,
} from '../fixtures/idle-connections.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What an event stream costs on which nothing happens. */
export default {
  title: 'event streams, idle (heap after collection); of ACP two for each connection',
  unit: 'stream',
  count: { full: 2_000, quick: 500 },
  rounds: 1,
  warmsUp: false,
  contestants: [
    idle({
      name: "ours, streams of a session's log",
      role: 'ours',
      promise: { figuresMax: { 'heap KiB each': 24 } },
      server: 'door-server.ts',
      open: openLogStreams,
    }),
    idle({
      name: 'ours, ACP over HTTP, own sessions',
      role: 'ours',
      promise: { figuresMax: { 'heap KiB each': 40 } },
      server: 'door-server.ts',
      open: openHttpStreams,
    }),
    idle({
      name: "official SDK's AcpServer",
      role: 'sdk',
      server: 'sdk-relay.ts',
      open: openSdkStreams,
    }),
  ],
} satisfies BenchCase;
