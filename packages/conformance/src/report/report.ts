import type { Observation } from '../findings/observation.ts';
import type { Requirement, Side } from '../requirements/requirement.ts';
import type { TransportKind } from '../transport-kind.ts';

/** What a run says of one requirement. */
export type Verdict =
  /** Seen, and always as required. */
  | 'passed'
  /** A rule was broken. */
  | 'failed'
  /** A recommendation or an inferred requirement was not met, or the evidence is not conclusive. */
  | 'warning'
  /** Broken, and listed as known. */
  | 'known failure'
  /** The situation did not come up; nothing is known. */
  | 'not exercised'
  /** The side under test does not announce what the requirement is about. */
  | 'not applicable';

/** One requirement and what was found. */
export interface RequirementResult {
  readonly requirement: Requirement;
  readonly verdict: Verdict;
  /** In one line: what was seen, or why nothing was. */
  readonly text: string;
  /** Everything that speaks against the side under test, with evidence. */
  readonly findings: readonly Observation[];
  /** The checks that saw it met. */
  readonly passedIn: readonly string[];
  /** Why a failure is known; present for known failures and for those that now pass. */
  readonly knownReason?: string;
  /** True for a requirement that is listed as a known failure and passed. */
  readonly isUnexpectedPass?: true;
}

/** The outcome of a check. */
export interface Report {
  readonly side: Side;
  /** What was checked, for people. */
  readonly target: string;
  /** How the messages travelled. */
  readonly transport: TransportKind;
  /** When the check began, ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly isStrict: boolean;
  readonly results: readonly RequirementResult[];
  readonly counts: Readonly<Record<Verdict, number>>;
  /** 0 when no rule was broken, else 1. */
  readonly exitCode: 0 | 1;
}
