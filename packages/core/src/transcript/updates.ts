import {
  isKnownUpdateKind,
  memberText,
  type RawJson,
  type SessionUpdate,
  type UsageUpdate,
} from '@signalbox/acp';
import { assertNever } from '../assert.ts';
import type { EventOf } from '../session/event.ts';
import { updateOf } from '../session/update-of.ts';
import { closeMessage, diagnose, type Draft } from './draft.ts';
import { foldChunk } from './messages.ts';
import { foldCompaction, foldCompactionSummary, foldNotice, foldUnknownUpdate } from './notices.ts';
import type { StoredEvent } from './stored-event.ts';
import { foldToolCall } from './tool-calls.ts';
import type { Usage } from './transcript.ts';

/** One `session/update`. What does not fit the protocol is counted and left out (B78). */
export function foldUpdate(draft: Draft, stored: StoredEvent, event: EventOf<'update'>): void {
  const raw = event.data.update;
  const update = updateOf(event);
  const problem = event.data.problem ?? (update && listProblem(update, raw));
  if (update === undefined || problem !== undefined) {
    diagnose(draft, stored.seq, problem ?? 'the update does not fit the protocol');
    return;
  }
  const kind: string = update.sessionUpdate;
  if (isKnownUpdateKind(kind)) foldKnown(draft, stored, update, raw);
  else foldUnknownUpdate(draft, stored, kind, raw);
}

function foldKnown(draft: Draft, stored: StoredEvent, update: SessionUpdate, raw: RawJson): void {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      return foldChunk(draft, stored, 'user_message', update);
    case 'agent_message_chunk':
      return foldChunk(draft, stored, 'agent_message', update);
    case 'agent_thought_chunk':
      return foldChunk(draft, stored, 'thought', update);
    case 'tool_call':
    case 'tool_call_update':
      foldToolCall(draft, stored, update.sessionUpdate, update, raw);
      return;
    case 'plan':
      closeMessage(draft);
      draft.plan = update.entries;
      return;
    case 'available_commands_update':
      draft.commands = update.availableCommands;
      return;
    case 'current_mode_update':
      draft.currentModeId = update.currentModeId;
      return;
    case 'config_option_update':
      draft.configOptions = update.configOptions;
      return;
    case 'session_info_update':
      // Null has a meaning of its own here: the title is cleared.
      if (update.title !== undefined) draft.title = update.title ?? undefined;
      return;
    case 'usage_update':
      // The cost so far is not always told again.
      draft.usage = toUsage(update, draft.usage);
      return;
    case 'notice':
      return foldNotice(draft, stored, update);
    case 'compaction_update':
      return foldCompaction(draft, stored, update);
    case 'compaction_summary_chunk':
      return foldCompactionSummary(draft, stored, update);
    default:
      return assertNever(update);
  }
}

function toUsage({ used, size, cost }: UsageUpdate, known: Usage | undefined): Usage {
  const total = cost ?? known?.cost;
  return total === undefined ? { used, size } : { used, size, cost: total };
}

/** Lists that an update consists of. */
const LIST_MEMBERS: Partial<Record<SessionUpdate['sessionUpdate'], string>> = {
  plan: 'entries',
  available_commands_update: 'availableCommands',
  config_option_update: 'configOptions',
};

/** Checking turns something else in place of a list into an empty list, which would clear a good one. */
export function listProblem({ sessionUpdate }: SessionUpdate, raw: RawJson): string | undefined {
  const member = LIST_MEMBERS[sessionUpdate];
  if (member === undefined || memberText(raw.text, member)?.startsWith('[')) return undefined;
  return `/${member} must be array`;
}
