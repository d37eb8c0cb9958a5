import type { RawJson, ToolCallUpdate } from '@signalbox/acp';
import type { TurnId } from '../session/ids.ts';
import { isToolCallOver } from '../session/tool-call.ts';
import { closeMessage, push, type Draft } from './draft.ts';
import { noteLeftOutCall, type LeftOutCall } from './left-out.ts';
import { createToolCall, mergeNews } from './merge-news.ts';
import { closeUnnamedMessage } from './messages.ts';
import type { StoredEvent } from './stored-event.ts';
import { isToolCallOpen, type Interruption, type ToolCallEntry } from './tool-call-entry.ts';

/** Where news about a tool call comes from. */
export type NewsOrigin = 'tool_call' | 'tool_call_update' | 'permission';

/** The entry that news was merged into. */
export interface FoldedCall {
  readonly entryId: string;
  /** Undefined when the entry was left out of this transcript. */
  readonly position: number | undefined;
}

/**
 * Merges news about a tool call into its entry, or makes one: any of the three may be the first that is
 * heard of a call (B72). News about a call whose entry was left out shows nothing.
 *
 * @returns the entry; undefined when it was left out so long ago that its id is forgotten.
 */
export function foldToolCall(
  draft: Draft,
  stored: StoredEvent,
  origin: NewsOrigin,
  news: ToolCallUpdate,
  raw: RawJson,
): FoldedCall | undefined {
  const { turnId } = stored.event;
  const position = draft.index.calls.get(news.toolCallId);
  if (position === undefined) {
    const leftOut = findLeftOut(draft, turnId, origin, news);
    if (leftOut === undefined) return begin(draft, stored, news, raw);
    closeUnnamedMessage(draft, turnId);
    return leftOut === 'forgotten' ? undefined : leftOut;
  }
  const known = draft.entries[position] as ToolCallEntry;
  if (!isAbout(toKnownCall(known), turnId, origin, news)) return begin(draft, stored, news, raw);
  closeUnnamedMessage(draft, turnId);
  const isLive = isInLiveTurn(draft, known);
  // Whoever asks for leave has not given up the call.
  const isRevived = origin === 'permission' && known.status === 'interrupted' && isLive;
  const merged = mergeNews(isRevived ? revive(known) : known, news, raw, stored.seq, isLive);
  draft.entries[position] = merged;
  noteOpen(draft, position, merged);
  return { entryId: known.id, position };
}

function begin(draft: Draft, stored: StoredEvent, news: ToolCallUpdate, raw: RawJson): FoldedCall {
  closeMessage(draft);
  const entry = mergeNews(createToolCall(stored, news.toolCallId), news, raw, stored.seq, true);
  const position = push(draft, entry);
  draft.index.calls.set(news.toolCallId, position);
  draft.index.leftOut.calls.delete(news.toolCallId);
  noteOpen(draft, position, entry);
  return { entryId: entry.id, position };
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

/** What tells whether news is about a call or about another one with the same id. */
type KnownCall = Pick<LeftOutCall, 'turnId' | 'isOver'>;

function toKnownCall({ turnId, status }: ToolCallEntry): KnownCall {
  const isOver = status !== 'interrupted' && isToolCallOver(status);
  return turnId === undefined ? { isOver } : { turnId, isOver };
}

/**
 * Whether news belongs to a call with its id. Agents reuse ids in later turns, and news about an old call
 * may come late; so an announcement or a request in another turn is about a new call, while an update is
 * about the old one unless that has ended and the update brings a title of its own.
 */
function isAbout(
  known: KnownCall,
  turnId: TurnId | undefined,
  origin: NewsOrigin,
  news: ToolCallUpdate,
): boolean {
  if (known.turnId === turnId) return true;
  switch (origin) {
    case 'tool_call':
      return turnId === undefined && !known.isOver;
    case 'tool_call_update':
      return turnId === undefined || !known.isOver || news.title == null;
    case 'permission':
      return turnId === undefined;
  }
}

/**
 * The call that news belongs to, if its entry was left out. Where ids are forgotten, an update that does
 * not even say what the call is called is taken to be about one of those.
 */
function findLeftOut(
  { index: { leftOut } }: Draft,
  turnId: TurnId | undefined,
  origin: NewsOrigin,
  news: ToolCallUpdate,
): FoldedCall | 'forgotten' | undefined {
  const call = leftOut.calls.get(news.toolCallId);
  if (call === undefined) {
    const isLate = origin === 'tool_call_update' && news.title == null;
    return leftOut.hasForgotten && isLate ? 'forgotten' : undefined;
  }
  if (!isAbout(call, turnId, origin, news)) return undefined;
  noteLeftOutCall(leftOut, call, news);
  return { entryId: `tool_call:${call.firstSeq}`, position: undefined };
}

function revive(entry: ToolCallEntry): ToolCallEntry {
  const { interruption: _, ...rest } = entry;
  return { ...rest, status: 'pending' };
}

function isInLiveTurn({ turn }: Draft, { turnId }: ToolCallEntry): boolean {
  if (turnId === undefined) return true;
  return turn.kind === 'running' && turn.turnId === turnId && turn.cancel === undefined;
}

function noteOpen(draft: Draft, position: number, entry: ToolCallEntry): void {
  if (isToolCallOpen(entry)) draft.index.openCalls.add(position);
  else draft.index.openCalls.delete(position);
}
