import type { SessionUpdate } from '@signalbox/acp';
import { isToolCallOver } from './tool-call.ts';

/** The ids by which an agent's updates name what they are about. */
export interface SpokenIds {
  /** Tool calls, and whether each has ended. */
  readonly toolCalls: ReadonlyMap<string, boolean>;
  readonly messages: ReadonlySet<string>;
}

/** What an agent's process has named, by which its late updates are told from those of the turn. */
export interface Spoken {
  /** Before the turn under way began, or before the last one did. */
  readonly before: SpokenIds;
  /** Since then. */
  readonly now: SpokenIds;
}

/** Ids of each kind that are kept of the turn under way; further ones are not followed. */
export const SPOKEN_NOW_MAX = 256;
/** Ids of each kind that are kept of what was before; the oldest are forgotten. */
export const SPOKEN_BEFORE_MAX = 512;

const NO_IDS: SpokenIds = { toolCalls: new Map(), messages: new Set() };

/** Of a process that has said nothing. Another process may use the ids of the one before it. */
export const NOTHING_SPOKEN: Spoken = { before: NO_IDS, now: NO_IDS };

/**
 * Whether an update is about something of before the turn under way (B33, B52): a message that had begun
 * (ids are unique in a session, R-CHK-05), or a tool call that has not been announced anew. Agents do use
 * the ids of tool calls again, so an update that brings a title to a call that has ended is a new call.
 *
 * @param update as it came; it need not fit the protocol.
 */
export function isAboutBefore({ before, now }: Spoken, update: unknown): boolean {
  const { sessionUpdate, messageId, toolCallId, title } = (update ?? {}) as Record<string, unknown>;
  if (sessionUpdate === 'tool_call_update' && typeof toolCallId === 'string') {
    const isOver = before.toolCalls.get(toolCallId);
    if (isOver === undefined || now.toolCalls.has(toolCallId)) return false;
    return !isOver || title == null;
  }
  if (!isChunk(sessionUpdate) || typeof messageId !== 'string') return false;
  return before.messages.has(messageId) && !now.messages.has(messageId);
}

/** Remembers what an update names. */
export function noteSpoken(spoken: Spoken, update: SessionUpdate): Spoken {
  switch (update.sessionUpdate) {
    case 'tool_call':
    case 'tool_call_update':
      return noteToolCall(spoken, update.toolCallId, isOver(update.status));
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return noteMessage(spoken, update.messageId);
    default:
      return spoken;
  }
}

/** Remembers that a tool call is spoken of in this turn. */
export function noteToolCall(spoken: Spoken, toolCallId: string, hasEnded = false): Spoken {
  const { now } = spoken;
  const known = now.toolCalls.get(toolCallId);
  if (known === true || known === hasEnded) return spoken;
  if (known === undefined && now.toolCalls.size >= SPOKEN_NOW_MAX) return spoken;
  const toolCalls = new Map(now.toolCalls).set(toolCallId, hasEnded);
  return { ...spoken, now: { ...now, toolCalls } };
}

/** A late update may be the end of its tool call. */
export function noteLate(spoken: Spoken, update: SessionUpdate): Spoken {
  if (update.sessionUpdate !== 'tool_call_update' || !isOver(update.status)) return spoken;
  const { before } = spoken;
  const toolCalls = new Map(before.toolCalls).set(update.toolCallId, true);
  return { ...spoken, before: { ...before, toolCalls } };
}

/** A turn begins: all that was named is of before. */
export function beginTurn({ before, now }: Spoken): Spoken {
  if (now === NO_IDS) return { before, now };
  const toolCalls = new Map(before.toolCalls);
  for (const [id, hasEnded] of now.toolCalls) {
    toolCalls.delete(id);
    toolCalls.set(id, hasEnded);
  }
  const messages = new Set(before.messages);
  for (const id of now.messages) messages.add(id);
  return { before: { toolCalls: newest(toolCalls), messages: newest(messages) }, now: NO_IDS };
}

function noteMessage(spoken: Spoken, messageId: string | null | undefined): Spoken {
  const { now } = spoken;
  if (messageId == null || now.messages.has(messageId)) return spoken;
  if (now.messages.size >= SPOKEN_NOW_MAX) return spoken;
  return { ...spoken, now: { ...now, messages: new Set(now.messages).add(messageId) } };
}

/** Forgets the oldest, in place. */
function newest<Ids extends Map<string, unknown> | Set<string>>(ids: Ids): Ids {
  for (const id of ids.keys()) {
    if (ids.size <= SPOKEN_BEFORE_MAX) break;
    ids.delete(id);
  }
  return ids;
}

function isChunk(kind: unknown): boolean {
  return (
    kind === 'agent_message_chunk' ||
    kind === 'agent_thought_chunk' ||
    kind === 'user_message_chunk'
  );
}

function isOver(status: Parameters<typeof isToolCallOver>[0] | null | undefined): boolean {
  return status != null && isToolCallOver(status);
}
