import type { Requirement, Side } from '../requirements/requirement.ts';
import { Notes } from '../passive/passive-check.ts';
import { PASSIVE_CHECKS } from '../passive/run-passive.ts';
import { createView } from '../passive/view.ts';
import type { Proof } from '../passive/wire-message.ts';
import { isRule } from '../report/create-report.ts';
import { findRequirement } from '../requirements/all.ts';
import type { Trace } from './trace-entry.ts';

/** One line of a trace that breaks a requirement. */
export interface TraceProblem {
  /** Place of the message in the trace, from 0; undefined where the whole is meant. */
  readonly index: number | undefined;
  readonly side: Side;
  readonly requirement: Requirement;
  /** True where a rule was broken; false for a recommendation and for what is not certain. */
  readonly isViolation: boolean;
  readonly text: string;
}

/**
 * Holds every message of a trace against the schema and everything else that can be judged from outside.
 * Unlike a report, which counts repeated findings, this names each line.
 */
export function validateTrace(trace: Trace): readonly TraceProblem[] {
  const view = createView(trace);
  const problems = new Map<string, TraceProblem>();
  for (const check of PASSIVE_CHECKS) {
    const notes = new EveryNote(check.name, (problem) => {
      // Two checks may judge one requirement by the same line.
      problems.set(`${problem.index} ${problem.requirement.id} ${problem.text}`, problem);
    });
    check.run(view, notes);
  }
  return [...problems.values()].sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity));
}

/** Notes that tell of each accusation at once. */
class EveryNote extends Notes {
  readonly #onProblem: (problem: TraceProblem) => void;

  constructor(where: string, onProblem: (problem: TraceProblem) => void) {
    super(where);
    this.#onProblem = onProblem;
  }

  override bad(id: string, side: Side, text: string, ...lines: readonly Proof[]): void {
    this.#tell(id, side, text, { lines, isCertain: true });
  }

  override warn(id: string, side: Side, text: string, ...lines: readonly Proof[]): void {
    this.#tell(id, side, text, { lines, isCertain: false });
  }

  #tell(
    id: string,
    side: Side,
    text: string,
    proof: { lines: readonly Proof[]; isCertain: boolean },
  ): void {
    const requirement = findRequirement(id);
    if (requirement === undefined) return;
    const lines = proof.lines.filter((line) => typeof line === 'object');
    // Of the lines that prove it, the last one that the accused side sent is the one that broke it.
    const own = lines.filter(({ sender }) => sender === side);
    const places = (own.length === 0 ? lines : own).map(({ index }) => index);
    const index = places.length === 0 ? undefined : Math.max(...places);
    const isViolation = proof.isCertain && isRule(requirement);
    this.#onProblem({ index, side, requirement, isViolation, text });
  }
}
