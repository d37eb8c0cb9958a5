import type { Effect } from './effect.ts';
import type { SessionEvent } from './event.ts';

/** What an input leads to: facts to commit first, then work to do. */
export interface StepResult {
  readonly events: readonly SessionEvent[];
  readonly effects: readonly Effect[];
}

/** An input that changes nothing. */
export const NOTHING: StepResult = { events: [], effects: [] };
