import { webSocketNotifications } from '../fixtures/websocket-notifications.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What one streamed piece of text costs from a server to its client over WebSocket. */
export default {
  title: 'text chunks from a server over WebSocket, validated',
  unit: 'message',
  count: { full: 40_000, quick: 10_000 },
  contestants: webSocketNotifications('chunk'),
} satisfies BenchCase;
