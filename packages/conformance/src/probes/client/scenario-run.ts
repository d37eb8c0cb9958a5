import type { Observation } from '../../findings/observation.ts';
import type { Exit } from '../../process/child.ts';
import type { TraceEntry } from '../../trace/trace-entry.ts';
import type { WireLog } from '../../wire/wire-log.ts';
import type { Scenario } from './scenario.ts';

/** One run of the client, as far as it can be seen from outside and from its agent. */
export interface ScenarioRun {
  readonly scenario: Scenario;
  readonly trace: readonly TraceEntry[];
  readonly judgements: readonly Observation[];
  readonly events: readonly string[];
  /** What the client printed. */
  readonly output: string;
  /** How the client ended by itself; undefined when the kit had to end it. */
  readonly exit: Exit | undefined;
  /** Whether the agent was still there although the client had ended by itself. */
  readonly isAgentLeft: boolean;
  /** What crossed the wire around the messages; undefined on stdio. */
  readonly wire: WireLog | undefined;
}

/** Something that the kit saw of the client from outside. */
export function observe(
  where: string,
  id: string,
  outcome: Observation['outcome'],
  text: string,
  evidence: readonly string[] = [],
): Observation {
  return { id, side: 'client', outcome, where, text, evidence };
}
