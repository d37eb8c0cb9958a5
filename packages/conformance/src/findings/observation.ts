import type { Side } from '../requirements/requirement.ts';

/**
 * What one check saw of one requirement. `failed` and `warned` are accusations, and carry the lines
 * that prove them; how grave a failure is follows from the requirement, while `warned` stays a warning
 * because the evidence is not conclusive.
 */
export type Outcome = 'passed' | 'failed' | 'warned' | 'not_applicable' | 'not_exercised';

/** One thing that a check has to say about one requirement. */
export interface Observation {
  readonly id: string;
  readonly side: Side;
  readonly outcome: Outcome;
  /** The name of the check or probe. */
  readonly where: string;
  /** The probe whose connection a passive check looked at. */
  readonly within?: string;
  readonly text: string;
  /** Excerpts of the lines that show it. */
  readonly evidence: readonly string[];
}
