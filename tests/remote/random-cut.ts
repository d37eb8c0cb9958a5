import type { Cut, CutKind } from './cut-line.ts';
import type { Random } from './random.ts';

/** Of a connection that fell silent it takes a while to learn, so that is rarer. */
const SILENCE_PART = 0.1;

/** A cut somewhere in the next 16 KiB. */
export function randomCut(random: Random): Cut {
  return {
    direction: random.chance(0.7) ? 'down' : 'up',
    // As often among the first bytes as far behind.
    after: Math.floor(2 ** (random.next() * 14)),
    kind: randomKind(random),
  };
}

/** How a connection breaks. */
export function randomKind(random: Random): CutKind {
  if (random.chance(SILENCE_PART)) return 'silence';
  return random.chance(0.5) ? 'reset' : 'end';
}
