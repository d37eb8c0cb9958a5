import type { ContentBlock, ContentChunk } from '@signalbox/acp';
import type { TurnId } from '../session/ids.ts';
import { appendBlock, isBlank, joinsLast } from './blocks.ts';
import { closeMessage, placeOf, push, type Draft, type OpenMessage } from './draft.ts';
import { matchEcho } from './echo.ts';
import type { MessageEntry } from './entry.ts';
import type { StoredEvent } from './stored-event.ts';

/**
 * Blocks in one entry. A message with more goes on in a further entry, so that a chunk never costs more
 * than copying this many references. Text that becomes a part of the last block still finds room.
 */
export const ENTRY_BLOCKS_MAX = 200;

/** A piece of a message: joins the one under way if it belongs to it, else begins a new one (B83). */
export function foldChunk(
  draft: Draft,
  stored: StoredEvent,
  kind: MessageEntry['kind'],
  chunk: ContentChunk,
): void {
  const { content } = chunk;
  const messageId = chunk.messageId ?? undefined;
  const open = joinable(draft, stored, kind, chunk);
  const isShown = open?.position !== undefined;
  const { turn } = draft;
  const isOfTurn = turn.kind === 'running' && turn.turnId === stored.event.turnId;
  if (kind === 'user_message' && !isShown && isOfTurn) {
    foldPossibleEcho(draft, stored, chunk, open);
    return;
  }
  const message = open ?? begin(draft, stored, kind, messageId);
  append(message, content, stored.seq);
  // White space alone is nothing to see, but belongs to the text that may follow (B84).
  if (isShown || !isBlank(content)) show(draft, message);
}

/**
 * News about something that has its own place came in between. Without an id the next chunk is taken
 * for a new message; with one, the agent says itself what belongs together.
 *
 * @param turnId the turn of the news.
 */
export function closeUnnamedMessage(draft: Draft, turnId: TurnId | undefined): void {
  const open = draft.index.openMessage?.entry;
  // Late news of an earlier turn does not break what the turn under way is saying (B52).
  if (open?.messageId === undefined && open?.turnId === turnId) closeMessage(draft);
}

/** The prompt is in the transcript already: what repeats it is held back, and shown if it differs. */
function foldPossibleEcho(
  draft: Draft,
  stored: StoredEvent,
  { content, messageId }: ContentChunk,
  open: OpenMessage | undefined,
): void {
  const { echo } = draft.index;
  const match = echo === undefined ? 'different' : matchEcho(echo, content);
  const message = open ?? begin(draft, stored, 'user_message', messageId ?? undefined);
  append(message, content, stored.seq);
  if (match === 'complete') closeMessage(draft);
  else if (match === 'different' && !isBlank(content)) show(draft, message);
}

function joinable(
  draft: Draft,
  { event }: StoredEvent,
  kind: MessageEntry['kind'],
  { content, messageId }: ContentChunk,
): OpenMessage | undefined {
  const open = draft.index.openMessage;
  if (open === undefined || open.entry.kind !== kind) return undefined;
  const isSame = open.entry.messageId === (messageId ?? undefined);
  if (!isSame || open.entry.turnId !== event.turnId) return undefined;
  const { blocks, cut } = open.entry;
  const count = blocks.length + (cut?.blocks?.items ?? 0);
  return count < ENTRY_BLOCKS_MAX || joinsLast(blocks, content) ? open : undefined;
}

function begin(
  draft: Draft,
  stored: StoredEvent,
  kind: MessageEntry['kind'],
  messageId: string | undefined,
): OpenMessage {
  const place = placeOf(kind, stored);
  const entry: MessageEntry =
    messageId === undefined
      ? { ...place, kind, blocks: [] }
      : { ...place, kind, messageId, blocks: [] };
  draft.index.openMessage = { entry, position: undefined };
  return draft.index.openMessage;
}

function append(message: OpenMessage, content: ContentBlock, seq: number): void {
  const { entry } = message;
  message.entry = { ...entry, lastSeq: seq, blocks: appendBlock(entry.blocks, content) };
}

function show(draft: Draft, message: OpenMessage): void {
  if (message.position === undefined) message.position = push(draft, message.entry);
  else draft.entries[message.position] = message.entry;
}
