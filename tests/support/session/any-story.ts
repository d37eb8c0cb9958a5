import fc from 'fast-check';
import { FakeWorld, type Happening } from './fake-world.ts';
import type { SessionRun } from './run.ts';

/** Often what leads somewhere, seldom what ends everything. */
const WEIGHTS: Readonly<Record<Happening['what'], number>> = {
  prompt: 6,
  'prompt or refuse': 1,
  cancel: 2,
  'cancel some turn': 1,
  'prompt taken back': 2,
  'agent ready': 6,
  'agent does not start': 1,
  'agent says': 3,
  'agent reports': 3,
  'agent asks': 4,
  'command starts': 2,
  'command ends': 1,
  'agent stops': 4,
  'agent fails': 1,
  'agent answers late': 1,
  'agent dies': 1,
  'person answers': 3,
  'two people answer': 1,
  deadline: 1,
  'grace ends': 1,
  'turn idle': 1,
  'settle deadline': 3,
  'host dies': 1,
};

const happening: fc.Arbitrary<Happening> = fc.record({
  what: fc.oneof(
    ...Object.entries(WEIGHTS).map(([what, weight]) => ({
      weight,
      arbitrary: fc.constant(what as Happening['what']),
    })),
  ),
  n: fc.nat(1000),
});

/** What may happen to a session, one after the other. */
export const anyStory = fc.array(happening, { minLength: 10, maxLength: 120, size: 'max' });

/** Lets a story happen, step by step under the invariants of every step, until all is at rest. */
export function tell(happenings: readonly Happening[]): SessionRun {
  const world = new FakeWorld();
  for (const one of happenings) world.happen(one);
  world.rest();
  return world.run;
}
