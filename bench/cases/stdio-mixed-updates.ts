import { stdioNotifications } from '../fixtures/stdio-notifications.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** Like `stdio-notifications`, but with every second update one of a tool call, plan or usage. */
export default {
  title: 'mixed updates from an agent over stdio, validated',
  unit: 'message',
  count: { full: 15_000, quick: 4_000 },
  contestants: stdioNotifications('mixed'),
} satisfies BenchCase;
