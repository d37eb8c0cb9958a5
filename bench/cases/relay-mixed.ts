import { relays } from '../fixtures/relays.ts';
import type { BenchCase } from '../harness/bench-case.ts';

/** What a host between an agent and a client spends on one update that it only passes on. */
export default {
  title: "mixed updates relayed from an agent's stdout to a client (CPU of the relay alone)",
  unit: 'message',
  count: { full: 40_000, quick: 10_000 },
  contestants: relays('mixed'),
} satisfies BenchCase;
