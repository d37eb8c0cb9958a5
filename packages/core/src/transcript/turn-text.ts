import type { TurnId } from '../session/ids.ts';
import { textOf } from './blocks.ts';
import type { Draft } from './draft.ts';
import type { AgentMessageEntry } from './entry.ts';
import { ENTRY_BLOCKS_MAX } from './messages.ts';
import type { Transcript } from './transcript.ts';

/** Stands between two messages, so that their words do not run together. */
const BETWEEN_MESSAGES = '\n\n';

/**
 * The result text of a turn: what the agent said in messages during the turn, nothing else. The text of
 * one message is exactly what came, also where thoughts lie in between; separate messages are set apart
 * by a blank line unless they bring white space of their own. Empty for a turn that is unknown or said
 * nothing, and for one whose text is not wholly there, see `boundTranscript`: no part is taken for the whole.
 */
export function turnText(transcript: Transcript, turnId: TurnId): string {
  const { entries, index } = transcript as Draft;
  const range = index.turns.get(turnId);
  if (range === undefined) return '';
  const end = range.to ?? entries.length;
  const parts: string[] = [];
  let before = '';
  let last: AgentMessageEntry | undefined;
  /** Whether only thoughts, and at least one, have come since the last message. */
  let isThoughtBetween = false;
  for (let position = range.from; position < end; position++) {
    const entry = entries[position];
    // What came late from another turn stands in between, but is nothing to this one (B52).
    if (entry?.turnId !== turnId) continue;
    if (entry.kind === 'thought') isThoughtBetween = true;
    if (entry.kind === 'tool_call' || entry.kind === 'permission') isThoughtBetween = false;
    if (entry.kind !== 'agent_message') continue;
    if (entry.cut !== undefined) return '';
    const said = textOf(entry.blocks);
    const isNew = last !== undefined && !goesOn(last, entry, isThoughtBetween);
    if (isNew && !isSetApart(before, said)) parts.push(BETWEEN_MESSAGES);
    parts.push(said);
    if (said !== '') before = said;
    last = entry;
    isThoughtBetween = false;
  }
  return parts.join('');
}

/** Whether the second entry goes on with the message of the first. With ids the agent says so. */
function goesOn(a: AgentMessageEntry, b: AgentMessageEntry, isThoughtBetween: boolean): boolean {
  if (a.messageId !== b.messageId) return false;
  return a.messageId !== undefined || isThoughtBetween || a.blocks.length >= ENTRY_BLOCKS_MAX;
}

function isSetApart(before: string, after: string): boolean {
  if (before === '' || after === '') return true;
  return before.trimEnd() !== before || after.trimStart() !== after;
}
