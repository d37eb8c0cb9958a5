import type { ContentBlock } from '@signalbox/acp';
import { cutText } from '../session/cut-text.ts';
import { refOf } from '../session/content-ref.ts';
import { referenceBlockOf } from '../session/reference-block.ts';
import { isBlank } from '../transcript/blocks.ts';
import type { MessageEntry, TranscriptEntry } from '../transcript/entry.ts';
import type { ToolCallEntry } from '../transcript/tool-call-entry.ts';
import type { ContextHistoryItem } from './context-snapshot.ts';

/** Entries of a transcript that are told to a new agent. */
export type ToldEntry = MessageEntry | ToolCallEntry;

const ROLES = { user_message: 'user', agent_message: 'agent', thought: 'thought' } as const;

/** Whether an entry has something to tell. */
export function isTold(entry: TranscriptEntry): entry is ToldEntry {
  switch (entry.kind) {
    case 'tool_call':
      return true;
    case 'user_message':
    case 'agent_message':
    case 'thought':
      return entry.cut !== undefined || !entry.blocks.every(isBlank);
    default:
      return false;
  }
}

/**
 * What an entry tells.
 *
 * @param lengthMax UTF-16 units of its text; a longer one is cut and says so.
 */
export function toHistoryItem(entry: ToldEntry, lengthMax: number): ContextHistoryItem {
  const role = entry.kind === 'tool_call' ? 'tool' : ROLES[entry.kind];
  const text = entry.kind === 'tool_call' ? callText(entry) : messageText(entry);
  return { role, text: cut(text, lengthMax), at: entry.time };
}

function messageText({ blocks, cut }: MessageEntry): string {
  const text = blocks.map(blockText).join('\n');
  const left = cut?.blocks;
  return left === undefined ? text : `(the first ${left.bytes} bytes are left out)\n${text}`;
}

function callText({ title, toolCallId, toolKind, status, interruption }: ToolCallEntry): string {
  const name = title === '' ? toolCallId : title;
  const why = interruption === undefined ? '' : `: ${interruption}`;
  return `${name} (${toolKind}, ${status}${why})`;
}

function blockText(block: ContentBlock): string {
  const reference = referenceBlockOf(block);
  if (reference !== undefined) {
    const { type, text } = reference.of;
    const bytes = refOf(text)?.bytes;
    return bytes === undefined ? `(${type})` : `(${type} of ${bytes} bytes)`;
  }
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `(${block.name}: ${block.uri})`;
    case 'resource': {
      const { uri } = block.resource;
      return 'text' in block.resource ? `(${uri})\n${block.resource.text}` : `(${uri})`;
    }
    default:
      return `(${block.type})`;
  }
}

function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const note = `\n(of ${text.length} characters the rest is left out)`;
  return cutText(text, lengthMax - note.length) + note;
}
