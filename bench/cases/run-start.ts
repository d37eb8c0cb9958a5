import { runStart } from '../fixtures/run-start.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What `signalbox run` adds to an agent's own start: a whole process from its start to its end. */
export default {
  title: '`signalbox run` of a prompt that is answered at once, over the agent alone',
  unit: 'run',
  count: { full: 3, quick: 1 },
  contestants: [
    runStart('signalbox run', 'ours', 'signalbox'),
    runStart('the agent alone, driven by hand-written lines', 'limit', 'agent'),
    runStart('node that does nothing', 'limit', 'node'),
  ],
} satisfies BenchCase;
