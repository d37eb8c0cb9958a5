import { PASSIVE_CHECKS } from './passive/run-passive.ts';
import { AGENT_PROBES } from './probes/agent/run-probes.ts';
import { CLIENT_SCENARIOS } from './probes/client/scenarios.ts';
import { WIRE_CHECKS } from './wire/run-wire-checks.ts';
import { boundSides, type Requirement, type Side } from './requirements/requirement.ts';

/** How a requirement is checked on one side. */
export interface Coverage {
  readonly side: Side;
  /** Names of the passive checks, of traces and of what crossed the wire around them. */
  readonly passive: readonly string[];
  /** Names of the probes of agents, or of the scenarios for clients. */
  readonly probes: readonly string[];
  /** Why it is not checked; undefined where it is. */
  readonly whyNot: string | undefined;
}

/** How a requirement is checked, for each side that it binds. */
export function coverageOf(requirement: Requirement): readonly Coverage[] {
  return boundSides(requirement).map((side) => {
    const { id, whyNot } = requirement;
    const probes = side === 'agent' ? AGENT_PROBES : CLIENT_SCENARIOS;
    return {
      side,
      passive: [...PASSIVE_CHECKS, ...WIRE_CHECKS]
        .filter(({ ids }) => ids[side]?.includes(id))
        .map(({ name }) => name),
      probes: probes.filter(({ ids }) => ids.includes(id)).map(({ name }) => name),
      whyNot: whyNot?.[side],
    };
  });
}
