import { fanOut, fanOutLimit, FLOOD } from '../fixtures/fan-out.ts';
import type { BenchCase } from '../harness/bench-case.ts';

const DELAYS = { figuresMax: { 'p99 ms': 500 } };

/** One session that 500 clients watch, each through a connection of its own. */
export default {
  title: 'one session to 500 clients over WebSocket (CPU of the server alone)',
  unit: 'delivery',
  count: { full: 12_500, quick: 5_000 },
  rounds: 3,
  contestants: [
    fanOut(
      { name: 'ours, 50 events a second', role: 'ours', perSecond: 50, promise: DELAYS },
      'websocket',
    ),
    fanOut(
      {
        name: 'ours, 200 events a second',
        role: 'ours',
        scale: 4,
        perSecond: 200,
        promise: DELAYS,
      },
      'websocket',
    ),
    fanOut(
      { name: 'ours, as fast as it goes', role: 'ours', scale: 24, perSecond: FLOOD },
      'websocket',
    ),
    fanOutLimit({ name: 'ws alone, 50 a second', role: 'limit', perSecond: 50 }, 'websocket'),
    fanOutLimit(
      { name: 'ws alone, 200 a second', role: 'limit', scale: 4, perSecond: 200 },
      'websocket',
    ),
    fanOutLimit(
      { name: 'ws alone, as fast as it goes', role: 'limit', scale: 8, perSecond: FLOOD },
      'websocket',
    ),
  ],
} satisfies BenchCase;
