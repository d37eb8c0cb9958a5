import type { SessionId, TurnEnd } from '@signalbox/core';
import type { ExitCode } from '../exit-codes.ts';

/** What is known when a run is over. */
export interface RunReport {
  readonly sessionId: SessionId;
  readonly end: TurnEnd;
  readonly durationMs: number;
  readonly exitCode: ExitCode;
}
