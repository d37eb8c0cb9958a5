import { runPassive } from './passive/run-passive.ts';
import { createReport } from './report/create-report.ts';
import type { Report } from './report/report.ts';
import type { Side } from './requirements/requirement.ts';
import type { Trace } from './trace/trace-entry.ts';

/** How a recorded connection is checked. */
export interface CheckTraceOptions {
  readonly trace: Trace;
  /** The side that is judged. */
  readonly side: Side;
  /** What was recorded, for people. */
  readonly target: string;
  /** True where the other side broke rules on purpose; only checks that allow for that are run. */
  readonly isHostile?: boolean;
  readonly isStrict?: boolean;
  readonly knownFailures?: readonly { readonly id: string; readonly reason: string }[];
}

/** Judges one side of a recorded connection by what it sent, from the first line on. */
export function checkTrace(options: CheckTraceOptions): Report {
  const { trace, side, target, isHostile = false, isStrict = false, knownFailures = [] } = options;
  return createReport({
    side,
    target,
    startedAt: new Date(),
    durationMs: 0,
    observations: runPassive(trace, { isHostile }),
    knownFailures,
    isStrict,
  });
}
