import { fanOut, fanOutLimit, FLOOD } from '../fixtures/fan-out.ts';
import type { BenchCase } from '../harness/bench-case.ts';

const DELAYS = { figuresMax: { 'p99 ms': 500 } };

/** The same as `fanout-websocket`, as server-sent events: a session's own stream, and ACP over HTTP. */
export default {
  title: 'one session to 500 clients as server-sent events (CPU of the server alone)',
  unit: 'delivery',
  count: { full: 12_500, quick: 5_000 },
  rounds: 2,
  contestants: [
    fanOut(
      { name: 'event stream, 50 a second', role: 'ours', perSecond: 50, promise: DELAYS },
      'event stream',
    ),
    fanOut(
      {
        name: 'event stream, 200 a second',
        role: 'ours',
        scale: 4,
        perSecond: 200,
        promise: DELAYS,
      },
      'event stream',
    ),
    fanOut(
      { name: 'event stream, as fast as it goes', role: 'ours', scale: 16, perSecond: FLOOD },
      'event stream',
    ),
    fanOut(
      { name: 'ACP, 200 a second', role: 'ours', scale: 4, perSecond: 200, promise: DELAYS },
      'http',
    ),
    fanOut({ name: 'ACP, as fast as it goes', role: 'ours', scale: 16, perSecond: FLOOD }, 'http'),
    fanOutLimit({ name: 'node:http alone, 50 a second', role: 'limit', perSecond: 50 }, 'http'),
    fanOutLimit(
      { name: 'node:http alone, 200 a second', role: 'limit', scale: 4, perSecond: 200 },
      'http',
    ),
  ],
} satisfies BenchCase;
