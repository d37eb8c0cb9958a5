import type {
  ContentBlock,
  PermissionOption,
  ToolCallContent,
  ToolCallLocation,
} from '@signalbox/acp';
import type { PermissionOutcome } from '../session/event.ts';
import type { PermissionId, PromptId, TurnId } from '../session/ids.ts';
import { action, actor, jsonText, turnEnd } from '../session/read-parts.ts';
import {
  asItCame,
  count,
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  tagged,
  text,
  type Read,
} from '../shape/read.ts';
import type * as Entry from './entry.ts';
import type { EntryCut, TextCut } from './text-cut.ts';
import type { ToolCallEntry } from './tool-call-entry.ts';

/** A content block; of the types that are not read by our own code, only the type is looked at. */
export const block: Read<ContentBlock> = (value, path) => {
  const { type } = asItCame<ContentBlock>('type')(value, path);
  return type === 'text'
    ? asItCame<ContentBlock & { type: 'text' }>('text')(value, path)
    : (value as ContentBlock);
};

const outcome: Read<PermissionOutcome> = tagged<PermissionOutcome>('kind', {
  selected: object({ kind: oneOf('selected'), optionId: text() }),
  cancelled: object({ kind: oneOf('cancelled') }),
});

/** How much of a text was left out. */
export const textCut: Read<TextCut> = object<TextCut>({ bytes: count, items: count });

const PLACE = {
  id: text(),
  turnId: optional(text<TurnId>()),
  firstSeq: count,
  lastSeq: count,
  time: number(),
  cut: optional(
    object<EntryCut>({
      blocks: optional(textCut),
      summary: optional(textCut),
      content: optional(textCut),
      rawInput: optional(textCut),
      rawOutput: optional(textCut),
      raw: optional(textCut),
      description: optional(textCut),
    }),
  ),
};

const promptId = text<PromptId>();
const blocks = list(block);

/** An entry of each kind, as `encodeEntry` writes it. */
export const entry: Read<Entry.TranscriptEntry> = tagged<Entry.TranscriptEntry>('kind', {
  user_message: object<Entry.UserMessageEntry>({
    ...PLACE,
    kind: oneOf('user_message'),
    promptId: optional(promptId),
    by: optional(actor),
    messageId: optional(text()),
    blocks,
  }),
  agent_message: object<Entry.AgentMessageEntry>({
    ...PLACE,
    kind: oneOf('agent_message'),
    messageId: optional(text()),
    blocks,
  }),
  thought: object<Entry.ThoughtEntry>({
    ...PLACE,
    kind: oneOf('thought'),
    messageId: optional(text()),
    blocks,
  }),
  tool_call: object<ToolCallEntry>({
    ...PLACE,
    kind: oneOf('tool_call'),
    toolCallId: text(),
    title: text(),
    name: optional(text()),
    toolKind: text(),
    status: oneOf('pending', 'in_progress', 'completed', 'failed', 'interrupted'),
    interruption: optional(oneOf('cancelled', 'agent_exited', 'denied', 'turn_ended')),
    content: list(asItCame<ToolCallContent>('type')),
    locations: list(asItCame<ToolCallLocation>('path')),
    rawInput: optional(jsonText),
    rawOutput: optional(jsonText),
  }),
  permission: object<Entry.PermissionEntry>({
    ...PLACE,
    kind: oneOf('permission'),
    permissionId: text<PermissionId>(),
    toolCallEntryId: optional(text()),
    action,
    options: list(asItCame<PermissionOption>('optionId', 'name', 'kind')),
    deadline: optional(number()),
    outcome: optional(outcome),
    by: optional(actor),
    withdrawal: optional(
      oneOf('turn_cancelled', 'turn_ended', 'taken_back', 'agent_gone', 'no_fitting_option'),
    ),
  }),
  turn_end: object<Entry.TurnEndEntry>({
    ...PLACE,
    kind: oneOf('turn_end'),
    promptId,
    end: turnEnd,
    durationMs: number(),
  }),
  prompt_dropped: object<Entry.PromptDroppedEntry>({
    ...PLACE,
    kind: oneOf('prompt_dropped'),
    promptId,
    blocks,
    by: actor,
  }),
  agent_started: object<Entry.AgentStartedEntry>({
    ...PLACE,
    kind: oneOf('agent_started'),
    restoredBy: oneOf('new', 'load', 'resume', 'transcript'),
  }),
  agent_exited: object<Entry.AgentExitedEntry>({
    ...PLACE,
    kind: oneOf('agent_exited'),
    code: nullable(number()),
    signal: nullable(text()),
    stderrTail: text(),
    noiseCount: number(),
    cause: optional(text()),
    isExpected: flag,
  }),
  notice: object<Entry.NoticeEntry>({
    ...PLACE,
    kind: oneOf('notice'),
    severity: text(),
    title: text(),
    description: optional(text()),
  }),
  compaction: object<Entry.CompactionEntry>({
    ...PLACE,
    kind: oneOf('compaction'),
    compactionId: text(),
    status: text(),
    summary: blocks,
    error: optional(text()),
  }),
  unknown_update: object<Entry.UnknownUpdateEntry>({
    ...PLACE,
    kind: oneOf('unknown_update'),
    updateKind: text(),
    raw: jsonText,
  }),
});
