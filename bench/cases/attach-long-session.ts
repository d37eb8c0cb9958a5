import { attachLongSession } from '../fixtures/attach-long-session.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** How long somebody waits who opens a session that has gone on for a long time. */
export default {
  title: 'a session of 100,000 events, from the call of attach until the client has its view',
  unit: 'attach',
  count: { full: 1, quick: 1 },
  rounds: 3,
  contestants: [
    attachLongSession('the server runs it', 'open'),
    attachLongSession('the server was just started', 'started'),
    attachLongSession('the same after a crash', 'crashed'),
  ],
} satisfies BenchCase;
