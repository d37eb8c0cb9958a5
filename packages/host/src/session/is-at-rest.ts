import type { SessionState } from '@signalbox/core';

/** Whether a session has nothing to do: no turn runs, no prompt waits, and nothing is asked. */
export function isAtRest({ turn, queue, permissions }: SessionState): boolean {
  return turn.kind === 'idle' && queue.length === 0 && permissions.size === 0;
}
