import { checkLimit } from '../shape/check-limit.ts';
import { chooseEntries, type Chosen } from './choose-entries.ts';
import { collectLeftOut } from './collect-left-out.ts';
import { cutEntry, cutQueued } from './cut-entry.ts';
import type { Draft, Index, OpenMessage } from './draft.ts';
import type { MessageEntry, TranscriptEntry } from './entry.ts';
import { indexEntries } from './index-entries.ts';
import type { StringReferences } from './refer-strings.ts';
import type { Omitted, TerminalView, Transcript } from './transcript.ts';

/** How much of a transcript goes along. */
export interface TranscriptBounds {
  /** Entries; {@link DELIVERED_ENTRIES_MAX} unless given. */
  readonly entriesMax?: number;
  /** UTF-8 bytes of the entries, and of the commands that they embed; {@link DELIVERED_BYTES_MAX}. */
  readonly bytesMax?: number;
  /**
   * UTF-8 bytes of one text: of what a message says, of a tool call's content, of its input, of its output, of a
   * command's output, of a prompt that waits; {@link DELIVERED_TEXT_BYTES_MAX}, and at least
   * {@link TEXT_BYTES_MIN}.
   */
  readonly textBytesMax?: number;
}

/** Entries that a client is given at once. */
export const DELIVERED_ENTRIES_MAX = 500;
/** Bytes that a client is given at once. */
export const DELIVERED_BYTES_MAX = 1024 * 1024;
/** Bytes of one text that a client is given at once. */
export const DELIVERED_TEXT_BYTES_MAX = 256 * 1024;
/**
 * The least that one text can be cut to, in bytes. So much of each text that is under way is there even where
 * that is more than `bytesMax` in all.
 */
export const TEXT_BYTES_MIN = 256;
/**
 * What permission requests that wait are about is there up to so many bytes, whatever the other bounds: somebody
 * is to decide on it. What is longer has its mark, and is to be read from the log.
 */
export const ASKED_BYTES_MAX = 2 * 1024 * 1024;

/**
 * A copy of a transcript with its newest entries, for delivery, and with the newest part of each text. What is
 * still under way always has its entry, even if that alone is more than the bounds: entries of the running turn,
 * open tool calls, permission requests that wait and their tool calls, compactions and the message under way.
 * There what was said has its text first, then what tools did, the newest before the older, and each text at least
 * {@link TEXT_BYTES_MIN}.
 *
 * Events can be folded into the copy as into the original: it then has the same entries but for those left
 * out, which also later news does not bring back. Each of them is what it would be in the original, but that the
 * oldest part of some texts is missing: exactly as much as `cut` says ({@link EntryCut}), never half of a
 * character, and never anything in between. So when both are cut to the same `textBytesMax`, and that is no more
 * than the copy was cut to, they are the same and have the same `cut`, wherever in the log the copy was made. That
 * needs annotations of a text to be shorter than `textBytesMax`; others are left out with their text, and what
 * follows begins another block.
 *
 * A turn whose beginning or a part of whose messages was left out has no `turnText`. Commands are there that
 * still run or that an entry embeds. The original is not touched, and its long texts are not kept in memory by the
 * copy.
 *
 * @param references strings that are longer than this go by reference where that is possible, instead of being cut:
 *   see {@link StringReferences}.
 * @throws CoreError `limit_invalid` when a bound is not a whole number from 0, or from {@link TEXT_BYTES_MIN}.
 */
export function boundTranscript(
  transcript: Transcript,
  bounds: TranscriptBounds = {},
  references?: StringReferences,
): Transcript {
  const complete = completeBounds(bounds);
  const { textBytesMax } = complete;
  const draft = transcript as Draft;
  const chosen = chooseEntries(draft, {
    ...complete,
    leastBytes: TEXT_BYTES_MIN,
    askedBytesMax: ASKED_BYTES_MAX,
    references,
  });
  const entries = draft.entries.flatMap((_, position) => chosen.entries.get(position) ?? []);
  const omitted = omittedOf(draft, chosen);
  const bounded: Draft = {
    ...draft,
    entries,
    queue: draft.queue.map((prompt) => cutQueued(prompt, textBytesMax)),
    terminals: terminalsOf(draft, chosen),
    index: indexOf(draft, chosen, entries, textBytesMax),
  };
  return omitted === undefined ? bounded : { ...bounded, omitted };
}

/** Fills in the defaults. @throws CoreError `limit_invalid`. */
export function completeBounds({
  entriesMax = DELIVERED_ENTRIES_MAX,
  bytesMax = DELIVERED_BYTES_MAX,
  textBytesMax = DELIVERED_TEXT_BYTES_MAX,
}: TranscriptBounds): Required<TranscriptBounds> {
  checkLimit('entriesMax', entriesMax, 0);
  checkLimit('bytesMax', bytesMax, 0);
  checkLimit('textBytesMax', textBytesMax, TEXT_BYTES_MIN);
  return { entriesMax, bytesMax, textBytesMax };
}

function omittedOf(draft: Draft, { entries: kept }: Chosen): Omitted | undefined {
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
  chosen: Chosen,
  entries: readonly TranscriptEntry[],
  textBytesMax: number,
): Index {
  const { openMessage, echo } = index;
  const leftOut = collectLeftOut(all, index, new Set(chosen.entries.keys()));
  // Folding writes to these two, so the copy has its own.
  return {
    ...indexEntries(entries, leftOut.calls),
    openMessage: openMessage && toOpen(openMessage, chosen, entries, textBytesMax),
    echo: echo && { ...echo },
    leftOut,
  };
}

function toOpen(
  { entry, position }: OpenMessage,
  chosen: Chosen,
  entries: readonly TranscriptEntry[],
  textBytesMax: number,
): OpenMessage {
  const kept = position === undefined ? undefined : chosen.entries.get(position);
  if (kept === undefined) {
    return { entry: cutEntry(entry, textBytesMax) as MessageEntry, position: undefined };
  }
  return { entry: kept as MessageEntry, position: entries.lastIndexOf(kept) };
}

function terminalsOf({ terminals }: Draft, { terminals: embedded }: Chosen): Draft['terminals'] {
  const kept = new Map<string, TerminalView>();
  for (const [id, terminal] of terminals) {
    const shown = embedded.get(id);
    if (shown !== undefined) kept.set(id, shown);
    else if (terminal.exit === undefined) kept.set(id, terminal);
  }
  return kept;
}
