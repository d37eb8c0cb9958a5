import type { EntryIndex } from './draft.ts';
import type { TranscriptEntry } from './entry.ts';
import { isToolCallOpen } from './tool-call-entry.ts';

/**
 * Finds out anew where entries stand, as folding the events behind them has noted it. A turn whose first
 * entry is not there has no text, see `turnText`.
 *
 * @param leftOut calls that are not among the entries; they come behind any entry of the same id.
 */
export function indexEntries(
  entries: readonly TranscriptEntry[],
  leftOut: ReadonlyMap<string, unknown>,
): EntryIndex {
  const index: EntryIndex = {
    calls: new Map(),
    openCalls: new Set(),
    permissions: new Map(),
    compactions: new Map(),
    turns: new Map(),
  };
  const callsByEntryId = new Map<string, number>();
  for (const [position, entry] of entries.entries()) {
    switch (entry.kind) {
      case 'tool_call':
        if (!leftOut.has(entry.toolCallId)) index.calls.set(entry.toolCallId, position);
        callsByEntryId.set(entry.id, position);
        if (isToolCallOpen(entry)) index.openCalls.add(position);
        break;
      case 'permission': {
        const { permissionId, toolCallEntryId = '' } = entry;
        const call = callsByEntryId.get(toolCallEntryId);
        if (entry.outcome === undefined) index.permissions.set(permissionId, { position, call });
        // An older request of the same name waits no more.
        else index.permissions.delete(permissionId);
        break;
      }
      case 'compaction':
        index.compactions.set(entry.compactionId, position);
        break;
      case 'user_message': {
        const { promptId, turnId } = entry;
        const isPrompt = promptId !== undefined && turnId !== undefined;
        if (isPrompt) index.turns.set(turnId, { from: position });
        break;
      }
      case 'turn_end': {
        const turn = entry.turnId === undefined ? undefined : index.turns.get(entry.turnId);
        if (turn !== undefined) turn.to = position;
        break;
      }
      default:
    }
  }
  return index;
}
