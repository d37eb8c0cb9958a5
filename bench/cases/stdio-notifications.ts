import { stdioNotifications } from '../fixtures/stdio-notifications.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** The headline: what one streamed piece of text costs from an agent's process to its client's. */
export default {
  title: 'text chunks from an agent over stdio, validated',
  unit: 'message',
  count: { full: 40_000, quick: 10_000 },
  contestants: stdioNotifications('chunk'),
} satisfies BenchCase;
