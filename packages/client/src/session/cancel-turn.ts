import { isPeerError, isRpcError } from '@signalbox/acp';
import type { Transcript } from '@signalbox/core';
import { orAborted } from '../connection/deadline.ts';
import type { Link } from '../connection/link.ts';
import type { Attachment } from './attachment.ts';

/** What {@link cancelTurn} works with. */
export interface CancelParts {
  readonly sessionId: string;
  readonly attachment: Attachment;
  readonly view: () => Transcript;
  /** Whether a prompt is one of this client's that are under way. */
  readonly isOwn: (promptId: string) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Cancels the turn that runs. The protocol has no answer to a cancel, so a sign of life behind it tells
 * that it has arrived; when the connection ends before that, it is sent again, but only to the same turn.
 */
export async function cancelTurn(parts: CancelParts): Promise<void> {
  const { sessionId, attachment, view, signal } = parts;
  const { turn } = view();
  const turnId = turn.kind === 'running' ? turn.turnId : undefined;
  let link = await attachment.whenAttached(signal);
  for (;;) {
    link.notify('session/cancel', { sessionId });
    if (await hasArrived(link, signal)) return;
    link = await attachment.whenCaughtUp(signal);
    if (!isStillWanted(parts, turnId)) return;
  }
}

async function hasArrived(link: Link, signal: AbortSignal): Promise<boolean> {
  try {
    await orAborted(link.request('_signalbox/ping', {}), signal, 'session/cancel');
    return true;
  } catch (error) {
    // Whatever it says: it read what came before.
    if (isRpcError(error)) return true;
    if (isPeerError(error, 'closed')) return false;
    throw error;
  }
}

/** Whether the turn that was meant runs on without having been cancelled. */
function isStillWanted({ view, isOwn }: CancelParts, turnId: string | undefined): boolean {
  const { turn } = view();
  if (turn.kind !== 'running' || turn.cancel !== undefined) return false;
  return turnId === undefined ? isOwn(turn.promptId) : turn.turnId === turnId;
}
