import type { RunReport } from './run-report.ts';

/** Shows a turn while it runs. */
export interface RunOutput {
  /** Shows events after `afterSeq` until `signal` aborts. Never rejects because of what is shown. */
  show(afterSeq: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the event with this number has been shown. */
  whenShown(seq: number): Promise<void>;
  /** Says something about the run itself, beside the events. */
  notice(text: string): void;
  finish(report: RunReport): void;
}
