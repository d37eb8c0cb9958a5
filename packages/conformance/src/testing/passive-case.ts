import type { Side } from '../requirements/requirement.ts';
import { Wire } from './wire.ts';

/** A pair of traces for one requirement: one that breaks it, one that meets it. */
export interface PassiveCase {
  readonly id: string;
  readonly side: Side;
  readonly bad: (wire: Wire) => void;
  readonly good: (wire: Wire) => void;
}

/** Makes a case for the agent's side. */
export function agentCase(
  id: string,
  bad: PassiveCase['bad'],
  good: PassiveCase['good'],
): PassiveCase {
  return { id, side: 'agent', bad, good };
}

/** Makes a case for the client's side. */
export function clientCase(
  id: string,
  bad: PassiveCase['bad'],
  good: PassiveCase['good'],
): PassiveCase {
  return { id, side: 'client', bad, good };
}

/** The trace that a part of a case writes. */
export function play(write: (wire: Wire) => void): Wire['trace'] {
  const wire = new Wire();
  write(wire);
  return wire.trace;
}
