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
 */
export function foldTranscript(transcript: Transcript, { seq, event }: StoredEvent): void {
  if (seq <= transcript.lastSeq) return;
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
      return foldUpdate(draft, seq, event);
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
    default:
      // An event of a newer version.
      return;
  }
}

/** The transcript of a whole log. */
export function toTranscript(events: Iterable<StoredEvent>): Transcript {
  const transcript = createTranscript();
  for (const stored of events) foldTranscript(transcript, stored);
  return transcript;
}
