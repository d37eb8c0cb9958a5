import { checkLimit } from '../shape/check-limit.ts';
import { utf8Length } from '../text/utf8.ts';
import { collectLeftOut } from './collect-left-out.ts';
import type { Draft, Index } from './draft.ts';
import { encodeEntry } from './encode-entry.ts';
import type { TranscriptEntry } from './entry.ts';
import { indexEntries } from './index-entries.ts';
import { isToolCallOpen } from './tool-call-entry.ts';
import type { Omitted, TerminalView, Transcript } from './transcript.ts';

/** How much of a transcript goes along. */
export interface TranscriptBounds {
  /** Entries; {@link DELIVERED_ENTRIES_MAX} unless given. */
  readonly entriesMax?: number;
  /** UTF-8 bytes of the entries, and of the commands that they embed; {@link DELIVERED_BYTES_MAX}. */
  readonly bytesMax?: number;
}

/** Entries that a client is given at once. */
export const DELIVERED_ENTRIES_MAX = 500;
/** Bytes that a client is given at once. */
export const DELIVERED_BYTES_MAX = 1024 * 1024;

/**
 * A copy of a transcript with its newest entries, for delivery. What is still under way is always there,
 * even if that alone is more than the bounds: entries of the running turn, open tool calls, permission
 * requests that wait and their tool calls, compactions and the message under way.
 *
 * Events can be folded into the copy as into the original: it then has the same entries but for those left
 * out, which also later news does not bring back. A turn whose beginning was left out has no `turnText`.
 * Commands are there that still run or that an entry embeds. The original is not touched.
 *
 * @throws CoreError `limit_invalid` when a bound is not a whole number from 0.
 */
export function boundTranscript(
  transcript: Transcript,
  { entriesMax = DELIVERED_ENTRIES_MAX, bytesMax = DELIVERED_BYTES_MAX }: TranscriptBounds = {},
): Transcript {
  checkLimit('entriesMax', entriesMax, 0);
  checkLimit('bytesMax', bytesMax, 0);
  const draft = transcript as Draft;
  const kept = keptPositions(draft, entriesMax, bytesMax);
  const entries = draft.entries.filter((_, position) => kept.has(position));
  const omitted = omittedOf(draft, kept);
  const bounded: Draft = {
    ...draft,
    entries,
    terminals: terminalsOf(draft, entries),
    index: indexOf(draft, kept, entries),
  };
  return omitted === undefined ? bounded : { ...bounded, omitted };
}

/** What is under way, then the newest entries as far as there is room. */
function keptPositions(draft: Draft, entriesMax: number, bytesMax: number): ReadonlySet<number> {
  const kept = new Set<number>();
  const embedded = new Set<string>();
  let bytes = 0;
  const sizeOf = (entry: TranscriptEntry): number => {
    let size = entrySize(entry);
    for (const id of terminalIdsOf(entry)) {
      if (!embedded.has(id)) size += utf8Length(JSON.stringify(draft.terminals.get(id) ?? null));
    }
    return size;
  };
  const keep = (position: number, entry: TranscriptEntry, size: number): void => {
    kept.add(position);
    for (const id of terminalIdsOf(entry)) embedded.add(id);
    bytes += size;
  };
  const isUnderWay = underWay(draft);
  for (const [position, entry] of draft.entries.entries()) {
    if (isUnderWay(entry, position)) keep(position, entry, sizeOf(entry));
  }
  for (let position = draft.entries.length - 1; position >= 0; position--) {
    const entry = draft.entries[position];
    if (entry === undefined || kept.has(position)) continue;
    if (kept.size >= entriesMax) break;
    const size = sizeOf(entry);
    if (bytes + size > bytesMax) break;
    keep(position, entry, size);
  }
  return kept;
}

/** An entry that changes becomes another one, so what one of them takes is found out once. */
const entrySizes = new WeakMap<TranscriptEntry, number>();

function entrySize(entry: TranscriptEntry): number {
  const known = entrySizes.get(entry);
  if (known !== undefined) return known;
  const size = utf8Length(JSON.stringify(encodeEntry(entry)));
  entrySizes.set(entry, size);
  return size;
}

function underWay({ turn, index }: Draft): (entry: TranscriptEntry, position: number) => boolean {
  const turnId = turn.kind === 'running' ? turn.turnId : undefined;
  const named = new Set([index.openMessage?.position]);
  for (const { position, call } of index.permissions.values()) named.add(position).add(call);
  return (entry, position) =>
    named.has(position) ||
    (turnId !== undefined && entry.turnId === turnId) ||
    (entry.kind === 'tool_call' && isToolCallOpen(entry)) ||
    (entry.kind === 'compaction' && entry.status === 'in_progress');
}

function omittedOf(draft: Draft, kept: ReadonlySet<number>): Omitted | undefined {
  const { omitted } = draft;
  if (kept.size === draft.entries.length) return omitted;
  let beforeSeq = omitted?.beforeSeq ?? 0;
  for (const [position, { firstSeq }] of draft.entries.entries()) {
    if (!kept.has(position)) beforeSeq = Math.max(beforeSeq, firstSeq + 1);
  }
  const entries = (omitted?.entries ?? 0) + draft.entries.length - kept.size;
  return { entries, beforeSeq };
}

function indexOf(
  { entries: all, index }: Draft,
  kept: ReadonlySet<number>,
  entries: readonly TranscriptEntry[],
): Index {
  const { openMessage, echo } = index;
  const leftOut = collectLeftOut(all, index, kept);
  // Folding writes to these two, so the copy has its own.
  const open = openMessage && { ...openMessage };
  if (open?.position !== undefined) open.position = entries.lastIndexOf(open.entry);
  return {
    ...indexEntries(entries, leftOut.calls),
    openMessage: open,
    echo: echo && { ...echo },
    leftOut,
  };
}

function terminalsOf(
  { terminals }: Draft,
  entries: readonly TranscriptEntry[],
): Map<string, TerminalView> {
  const embedded = new Set(entries.flatMap(terminalIdsOf));
  return new Map([...terminals].filter(([id, { exit }]) => exit === undefined || embedded.has(id)));
}

function terminalIdsOf(entry: TranscriptEntry): readonly string[] {
  if (entry.kind !== 'tool_call') return [];
  return entry.content.flatMap((item) => (item.type === 'terminal' ? [item.terminalId] : []));
}
