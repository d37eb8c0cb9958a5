import type { ScenarioName } from './scenario-names.ts';

/** How a scenario turned out with an agent. */
export type Outcome =
  /** @param note what there is to know beside that, such as in which way. */
  | { readonly kind: 'passed'; readonly note?: string }
  | { readonly kind: 'failed'; readonly evidence: string }
  | { readonly kind: 'not applicable'; readonly why: string }
  /** The agent could not be installed. */
  | { readonly kind: 'not run'; readonly why: string };

/** What one agent did in all scenarios. */
export interface AgentResult {
  readonly name: string;
  readonly packages: readonly string[];
  /** What it says of itself in the handshake. */
  readonly says?: string;
  /** The day of the run, YYYY-MM-DD. */
  readonly date: string;
  readonly outcomes: Partial<Readonly<Record<ScenarioName, Outcome>>>;
}

/** Ends a scenario as failed. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** Ends a scenario as not applicable. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** @throws Failure with this evidence unless the condition holds. */
export function check(condition: boolean, evidence: string): asserts condition {
  if (!condition) throw new Failure(evidence);
}
