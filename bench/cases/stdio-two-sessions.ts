import { stdioNotifications } from '../fixtures/stdio-notifications.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** Like `stdio-notifications`, but no two successive frames belong to the same session. */
export default {
  title: 'text chunks of two sessions in turn over stdio, validated',
  unit: 'message',
  count: { full: 30_000, quick: 8_000 },
  contestants: stdioNotifications('alternating'),
} satisfies BenchCase;
