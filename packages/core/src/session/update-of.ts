import { validateUpdate, type SessionUpdate } from '@signalbox/acp';
import type { EventOf } from './event.ts';
import { withReferenceBlocks } from './reference-block.ts';

/**
 * The decoded update of an event, with what does not fit the protocol left out; undefined when the
 * whole update does not fit. The same for an event that just came and for one read from the log. Content
 * that went by reference is in it as a `ReferenceBlock`.
 */
export function updateOf(event: EventOf<'update'>): SessionUpdate | undefined {
  if (event.data.problem !== undefined) return undefined;
  const update = withReferenceBlocks(event.data.update);
  return validateUpdate(update) === undefined ? (update as SessionUpdate) : undefined;
}
