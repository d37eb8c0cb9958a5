import { RawJson, rawObject, type ContentBlock } from '@signalbox/acp';
import type { CompactionEntry, MessageEntry, TranscriptEntry } from '@signalbox/core';
import type { History } from './history.ts';
import { rawItems } from './raw-items.ts';
import type { Standing } from './standing.ts';
import type { TerminalContent } from './terminal-content.ts';

/** The kind of update by which a message is told. */
const CHUNK: Readonly<Record<MessageEntry['kind'], string>> = {
  user_message: 'user_message_chunk',
  agent_message: 'agent_message_chunk',
  thought: 'agent_thought_chunk',
};

/**
 * The updates that tell a session from its beginning (R-LOD-03): first how it stands (commands, mode,
 * options, usage, title), then what happened, in order, each message and each tool call once. The end of
 * a message that is still being written comes last, so that what follows live goes on with it.
 */
export function* toReplay(history: History, terminals: TerminalContent): Iterable<RawJson> {
  yield* toStateUpdates(history);
  yield* history.choices.toUpdates();
  const plan = history.last.get('plan');
  let isPlanTold = plan === undefined;
  for (const [position, entry] of history.transcript.entries.entries()) {
    if (plan !== undefined && !isPlanTold && entry.firstSeq > plan.seq) {
      isPlanTold = true;
      yield plan.update;
    }
    yield* ofEntry(history, terminals, entry, position);
  }
  if (plan !== undefined && !isPlanTold) yield plan.update;
}

/** Commands, usage and title as they stand: no answer holds them (R-RSM-03 lets them pass). */
export function* toStateUpdates({ last, transcript }: Standing): Iterable<RawJson> {
  const commands = last.get('available_commands_update');
  if (commands !== undefined) yield commands.update;
  const usage = last.get('usage_update');
  if (usage !== undefined) {
    const { cost } = usage.update.value as { cost?: unknown };
    // The cost so far is not always told again.
    const isWhole = cost != null || transcript.usage?.cost === undefined;
    yield isWhole
      ? usage.update
      : rawObject({ sessionUpdate: 'usage_update', ...transcript.usage });
  }
  const { title } = transcript;
  if (title !== undefined) yield rawObject({ sessionUpdate: 'session_info_update', title });
}

function* ofEntry(
  history: History,
  terminals: TerminalContent,
  entry: TranscriptEntry,
  position: number,
): Iterable<RawJson> {
  switch (entry.kind) {
    case 'user_message':
    case 'agent_message':
    case 'thought':
      yield* ofMessage(history, entry);
      return;
    case 'tool_call':
      yield terminals.shown(history.toolCalls.toUpdate(entry, position));
      return;
    case 'compaction':
      yield* ofCompaction(entry);
      return;
    case 'unknown_update':
      yield entry.raw;
      return;
    // Nothing that the protocol has an update for, or that is told again (R-LOD-10).
    case 'permission':
    case 'turn_end':
    case 'prompt_dropped':
    case 'agent_started':
    case 'agent_exited':
    case 'notice':
  }
}

function* ofMessage(history: History, entry: MessageEntry): Iterable<RawJson> {
  const prompt = entry.kind === 'user_message' && history.prompts.get(entry.firstSeq);
  const { messageId } = entry;
  for (const content of prompt ? rawItems(prompt) : entry.blocks.map(toRaw(history))) {
    yield rawObject({ sessionUpdate: CHUNK[entry.kind], content, messageId });
  }
}

function* ofCompaction(entry: CompactionEntry): Iterable<RawJson> {
  const { compactionId, status, summary, error } = entry;
  const update = { sessionUpdate: 'compaction_update', compactionId, status };
  if (status === 'completed') {
    yield rawObject({ ...update, ...(summary.length === 0 ? {} : { summary }) });
    return;
  }
  yield rawObject({ ...update, error });
  for (const content of summary) {
    yield rawObject({ sessionUpdate: 'compaction_summary_chunk', compactionId, content });
  }
}

/** A block with its exact text, if it is no text; several texts have become one. */
function toRaw({ blocks }: History): (block: ContentBlock) => RawJson {
  return (block) => blocks.get(block) ?? new RawJson(JSON.stringify(block), block);
}
