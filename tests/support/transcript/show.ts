import type { ContentBlock } from '@signalbox/acp';
import type { Transcript, TranscriptEntry } from '@signalbox/core';

/** Entries as short texts, for comparing what people see. */
export function show({ entries }: Transcript): string[] {
  return entries.map(showEntry);
}

/** Entries of one kind. */
export function entriesOf<K extends TranscriptEntry['kind']>(
  { entries }: Transcript,
  kind: K,
): Extract<TranscriptEntry, { kind: K }>[] {
  return entries.filter(
    (entry): entry is Extract<TranscriptEntry, { kind: K }> => entry.kind === kind,
  );
}

function showEntry(entry: TranscriptEntry): string {
  switch (entry.kind) {
    case 'user_message':
      return `user: ${showBlocks(entry.blocks)}`;
    case 'agent_message':
      return `agent: ${showBlocks(entry.blocks)}`;
    case 'thought':
      return `thought: ${showBlocks(entry.blocks)}`;
    case 'tool_call': {
      const why = entry.interruption === undefined ? '' : ` (${entry.interruption})`;
      return `tool ${entry.toolCallId}: ${entry.title} ${entry.toolKind} ${entry.status}${why}`;
    }
    case 'permission':
      return `asks ${entry.permissionId}: ${entry.outcome?.kind ?? 'waits'}`;
    case 'turn_end':
      return `end: ${entry.end.kind === 'stopped' ? entry.end.stopReason : entry.end.failure}`;
    case 'unknown_update':
      return `${entry.kind}: ${entry.updateKind}`;
    case 'notice':
      return `notice: ${entry.title}`;
    case 'compaction':
      return `compaction: ${entry.status} ${showBlocks(entry.summary)}`;
    default:
      return entry.kind;
  }
}

function showBlocks(blocks: readonly ContentBlock[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('|');
}
