import type { RawJson, ToolCallUpdate } from '@signalbox/acp';
import type { TurnId } from '../session/ids.ts';
import { isToolCallOver } from '../session/tool-call.ts';
import { closeMessage, push, type Draft } from './draft.ts';
import { createToolCall, mergeNews } from './merge-news.ts';
import { closeUnnamedMessage } from './messages.ts';
import type { StoredEvent } from './stored-event.ts';
import type { Interruption, ToolCallEntry } from './tool-call-entry.ts';

/** Where news about a tool call comes from. */
export type NewsOrigin = 'tool_call' | 'tool_call_update' | 'permission';

/**
 * Merges news about a tool call into its entry, or makes one: any of the three may be the first that is
 * heard of a call (B72). @returns the entry's position.
 */
export function foldToolCall(
  draft: Draft,
  stored: StoredEvent,
  origin: NewsOrigin,
  news: ToolCallUpdate,
  raw: RawJson,
): number {
  const position = find(draft, stored.event.turnId, origin, news);
  if (position === undefined) {
    closeMessage(draft);
    const entry = mergeNews(createToolCall(stored, news.toolCallId), news, raw, stored.seq, true);
    const created = push(draft, entry);
    draft.index.calls.set(news.toolCallId, created);
    noteOpen(draft, created, entry);
    return created;
  }
  closeUnnamedMessage(draft);
  const known = draft.entries[position] as ToolCallEntry;
  const isLive = isInLiveTurn(draft, known);
  // Whoever asks for leave has not given up the call.
  const isRevived = origin === 'permission' && known.status === 'interrupted' && isLive;
  const merged = mergeNews(isRevived ? revive(known) : known, news, raw, stored.seq, isLive);
  draft.entries[position] = merged;
  noteOpen(draft, position, merged);
  return position;
}

/** Ends the open calls of a turn, or all of them, in the view: no status will follow (B75). */
export function interruptToolCalls(
  draft: Draft,
  seq: number,
  interruption: Interruption,
  turnId?: TurnId,
): void {
  for (const position of draft.index.openCalls) {
    if (turnId !== undefined && draft.entries[position]?.turnId !== turnId) continue;
    interruptToolCall(draft, seq, interruption, position);
  }
}

/** Ends one call in the view, if it is open. */
export function interruptToolCall(
  draft: Draft,
  seq: number,
  interruption: Interruption,
  position: number,
): void {
  if (!draft.index.openCalls.delete(position)) return;
  const entry = draft.entries[position] as ToolCallEntry;
  draft.entries[position] = { ...entry, status: 'interrupted', interruption, lastSeq: seq };
}

/**
 * The entry that news belongs to. Agents reuse ids in later turns, and news about an old call may come
 * late; so an announcement or a request in another turn is about a new call, while an update is about
 * the old one unless that has ended and the update brings a title of its own.
 */
function find(
  draft: Draft,
  turnId: TurnId | undefined,
  origin: NewsOrigin,
  news: ToolCallUpdate,
): number | undefined {
  const position = draft.index.calls.get(news.toolCallId);
  if (position === undefined) return undefined;
  const known = draft.entries[position] as ToolCallEntry;
  if (known.turnId === turnId) return position;
  const isOver = known.status !== 'interrupted' && isToolCallOver(known.status);
  switch (origin) {
    case 'tool_call':
      return turnId !== undefined || isOver ? undefined : position;
    case 'tool_call_update':
      return turnId !== undefined && isOver && news.title != null ? undefined : position;
    case 'permission':
      return turnId === undefined ? position : undefined;
  }
}

function revive(entry: ToolCallEntry): ToolCallEntry {
  const { interruption: _, ...rest } = entry;
  return { ...rest, status: 'pending' };
}

function isInLiveTurn({ turn }: Draft, { turnId }: ToolCallEntry): boolean {
  if (turnId === undefined) return true;
  return turn.kind === 'running' && turn.turnId === turnId && turn.cancel === undefined;
}

function noteOpen(draft: Draft, position: number, { status }: ToolCallEntry): void {
  if (status === 'pending' || status === 'in_progress') draft.index.openCalls.add(position);
  else draft.index.openCalls.delete(position);
}
