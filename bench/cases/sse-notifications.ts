import { sseNotifications } from '../fixtures/http-clients.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What one streamed piece of text costs from a server's process to its client's over HTTP. */
export default {
  title: 'text chunks from a server as server-sent events, validated',
  unit: 'message',
  count: { full: 20_000, quick: 5_000 },
  contestants: sseNotifications({ ours: 8, sdk: 1, raw: 32 }),
} satisfies BenchCase;
