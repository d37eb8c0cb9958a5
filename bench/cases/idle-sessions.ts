import { idleSessions } from '../fixtures/idle-sessions.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What a session costs that nobody uses: made, listed, followed by nobody, its agent not running. */
export default {
  title: 'sessions made and kept open without an agent (heap after collection)',
  unit: 'session',
  count: { full: 500, quick: 200 },
  contestants: [idleSessions],
} satisfies BenchCase;
