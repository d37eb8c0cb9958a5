import { CoreError } from '../core-error.ts';
import { foldAgentExited, foldAgentStarted } from './agents.ts';
import { createDraft, type Draft } from './draft.ts';
import { foldPermissionRequested, foldPermissionResolved } from './permissions.ts';
import type { StoredEvent } from './stored-event.ts';
import { foldTerminalExited, foldTerminalStarted } from './terminals.ts';
import type { Transcript } from './transcript.ts';
import {
  foldCancelRequested,
  foldPromptDropped,
  foldPromptQueued,
  foldTurnFinished,
  foldTurnStarted,
} from './turns.ts';
import { foldUpdate } from './updates.ts';

/** The transcript of a session in which nothing has happened yet. */
export function createTranscript(): Transcript {
  return createDraft();
}

/**
 * Folds the next event of the log into a transcript, in place; see {@link Transcript} for what that
 * means to whoever shows it. An event that is in the transcript already is left out, so a reader that
 * reads a part of the log again does no harm.
 *
 * @throws CoreError `events_overlap` when the event stands for several of which only some are in the
 *   transcript. That does not happen to a reader that goes on from its cursor.
 */
export function foldTranscript(transcript: Transcript, stored: StoredEvent): void {
  const { seq, event } = stored;
  if (seq <= transcript.lastSeq) return;
  refuseOverlap(transcript, stored);
  const draft = transcript as Draft;
  draft.lastSeq = seq;
  switch (event.type) {
    case 'session.created':
      return;
    case 'agent.started':
      return foldAgentStarted(draft, seq, event);
    case 'agent.exited':
      return foldAgentExited(draft, seq, event);
    case 'prompt.queued':
      return foldPromptQueued(draft, event);
    case 'prompt.dropped':
      return foldPromptDropped(draft, seq, event);
    case 'turn.started':
      return foldTurnStarted(draft, seq, event);
    case 'update':
      return foldUpdate(draft, stored, event);
    case 'permission.requested':
      return foldPermissionRequested(draft, seq, event);
    case 'permission.resolved':
      return foldPermissionResolved(draft, seq, event);
    case 'turn.cancel_requested':
      return foldCancelRequested(draft, seq, event);
    case 'turn.finished':
      return foldTurnFinished(draft, seq, event);
    case 'terminal.started':
      return foldTerminalStarted(draft, event);
    case 'terminal.exited':
      return foldTerminalExited(draft, event);
    case 'file.accessed':
      // The tool call that did it tells people; the log has the digests.
      return;
    case 'prompt.held':
      // It stands in the queue already.
      return;
    default:
      // An event of a newer version.
      return;
  }
}

function refuseOverlap({ lastSeq }: Transcript, { firstSeq, seq }: StoredEvent): void {
  if (firstSeq === undefined || firstSeq > lastSeq) return;
  throw new CoreError(
    'events_overlap',
    `events ${firstSeq} to ${seq} came as one, but the transcript has those up to ${lastSeq} already`,
    { hint: 'read on from the cursor behind the last event that was folded' },
  );
}

/** The transcript of a whole log. */
export function toTranscript(events: Iterable<StoredEvent>): Transcript {
  const transcript = createTranscript();
  for (const stored of events) foldTranscript(transcript, stored);
  return transcript;
}
