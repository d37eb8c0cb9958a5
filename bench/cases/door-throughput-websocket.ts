import { acpOverWebSocket, logOverWebSocket, sdkOverWebSocket } from '../fixtures/door-clients.ts';
import { doorThroughput } from '../fixtures/door-throughput.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** The whole way of an update to a client elsewhere; ours is on disk before it is sent. */
export default {
  title:
    "updates from an agent's process through a server over WebSocket (CPU of client and server)",
  unit: 'update',
  count: { full: 10_000, quick: 4_000 },
  contestants: [
    doorThroughput({
      name: 'host with its log, ACP client',
      role: 'ours',
      scale: 2,
      promise: { timesCpuMin: 1 },
      server: 'door-server.ts',
      open: acpOverWebSocket,
    }),
    doorThroughput({
      name: 'host with its log, client library',
      role: 'ours',
      scale: 2,
      promise: { timesCpuMin: 1 },
      server: 'door-server.ts',
      open: logOverWebSocket,
    }),
    doorThroughput({
      name: "official SDK's relay, no log",
      role: 'sdk',
      server: 'sdk-relay.ts',
      open: sdkOverWebSocket,
    }),
  ],
} satisfies BenchCase;
