import {
  idle,
  openOneSession,
  openOwnSessions,
  openSdkSockets,
} from '../fixtures/idle-connections.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What a client costs that is connected, has a session open, and does nothing. */
export default {
  title: 'WebSocket connections with a session open, idle (heap after collection)',
  unit: 'connection',
  count: { full: 500, quick: 200 },
  rounds: 2,
  warmsUp: false,
  contestants: [
    idle({
      name: 'ours, each with a session of its own',
      role: 'ours',
      promise: { figuresMax: { 'heap KiB each': 48 } },
      server: 'door-server.ts',
      open: openOwnSessions,
    }),
    idle({
      name: 'ours, all with the same session',
      role: 'ours',
      promise: { figuresMax: { 'heap KiB each': 40 } },
      server: 'door-server.ts',
      open: openOneSession,
    }),
    idle({
      name: "official SDK's AcpServer and ws",
      role: 'sdk',
      server: 'sdk-relay.ts',
      open: openSdkSockets,
    }),
  ],
} satisfies BenchCase;
