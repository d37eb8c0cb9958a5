import type { StopReason } from './types.ts';

/** Why a turn can end (R-PRM-06). The set is closed. */
export const STOP_REASONS = [
  'end_turn',
  'max_tokens',
  'max_turn_requests',
  'refusal',
  'cancelled',
] as const satisfies readonly StopReason[];

/** Whether a value from a peer is one of the stop reasons. */
export function isStopReason(value: unknown): value is StopReason {
  return (STOP_REASONS as readonly unknown[]).includes(value);
}
