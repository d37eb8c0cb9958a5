import type { EventOf } from '../session/event.ts';

/** Adjacent updates that become one. */
export interface Burst {
  /** Whether there is no room for another one. */
  readonly isFull: boolean;
  /** Takes the next update of the log if both can become one. */
  take(event: EventOf<'update'>): boolean;
  /** The one that stands for all. */
  toEvent(): EventOf<'update'>;
}
