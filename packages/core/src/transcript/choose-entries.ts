import { utf8Length } from '../text/utf8.ts';
import { cutEntry, cutTerminal } from './cut-entry.ts';
import type { Draft } from './draft.ts';
import { encodeEntry } from './encode-entry.ts';
import type { TranscriptEntry } from './entry.ts';
import { referStrings, type StringReferences } from './refer-strings.ts';
import { isToolCallOpen } from './tool-call-entry.ts';
import type { TerminalView } from './transcript.ts';

/** How much is chosen. Bytes are those of UTF-8. */
export interface Room {
  readonly entriesMax: number;
  readonly bytesMax: number;
  /** Of one text. */
  readonly textBytesMax: number;
  /** Of one text that is under way, where there is no more room. */
  readonly leastBytes: number;
  /** Of all that somebody is to decide on. */
  readonly askedBytesMax: number;
  readonly references: StringReferences | undefined;
}

/** What of a transcript goes along, and how much of its texts. */
export interface Chosen {
  /** By their positions in the transcript. */
  readonly entries: ReadonlyMap<number, TranscriptEntry>;
  /** Commands that these embed. */
  readonly terminals: ReadonlyMap<string, TerminalView>;
}

/** What is under way, then the newest entries as far as there is room. */
export function chooseEntries(draft: Draft, room: Room): Chosen {
  const { entriesMax, bytesMax, textBytesMax, leastBytes, askedBytesMax, references } = room;
  const entries = new Map<number, TranscriptEntry>();
  const terminals = new Map<string, TerminalView>();
  let bytes = 0;

  /** Takes an entry in. @returns whether there was room for it. */
  const take = (position: number, textBytes: number, left: number): boolean => {
    const entry = shortened(draft.entries[position] as TranscriptEntry, textBytes, references);
    const embedded = embeddedBy(draft, entry).filter(([id]) => !terminals.has(id));
    const commands = embedded.map(([id, one]) => [id, cutTerminal(one, textBytes)] as const);
    const size = commands.reduce((sum, [, one]) => sum + sizeOf(one), entrySize(entry));
    if (size > left) return false;
    entries.set(position, entry);
    for (const [id, terminal] of commands) terminals.set(id, terminal);
    bytes += size;
    return true;
  };

  const newest = draft.entries.map((entry, position) => ({ entry, position })).reverse();
  const { asked, said, done } = underWay(draft, newest);
  for (const { position } of asked) {
    take(position, Math.max(leastBytes, askedBytesMax - bytes), Infinity);
  }
  for (const { position } of [...said, ...done]) {
    take(position, Math.max(leastBytes, Math.min(textBytesMax, bytesMax - bytes)), Infinity);
  }
  for (const { position } of newest) {
    if (entries.has(position)) continue;
    if (entries.size >= entriesMax || !take(position, textBytesMax, bytesMax - bytes)) break;
  }
  return { entries, terminals };
}

/** The entry with references in place of strings that are too long, and without what is too long all the same. */
function shortened(
  entry: TranscriptEntry,
  textBytes: number,
  references: StringReferences | undefined,
): TranscriptEntry {
  const size = entrySizes.get(entry);
  // Nothing in it is longer than all of it.
  if (size !== undefined && size <= Math.min(textBytes, references?.inlineBytesMax ?? Infinity)) {
    return entry;
  }
  return cutEntry(references === undefined ? entry : referStrings(entry, references), textBytes);
}

/** An entry that changes becomes another one, so what one of them takes is found out once. */
const entrySizes = new WeakMap<TranscriptEntry, number>();

function entrySize(entry: TranscriptEntry): number {
  const known = entrySizes.get(entry);
  if (known !== undefined) return known;
  const size = sizeOf(encodeEntry(entry));
  entrySizes.set(entry, size);
  return size;
}

function sizeOf(value: object): number {
  return utf8Length(JSON.stringify(value));
}

interface Place {
  readonly entry: TranscriptEntry;
  readonly position: number;
}

/** What is under way, by how much it matters to have it whole. */
interface UnderWay {
  /** Permission requests that wait, and their tool calls. */
  readonly asked: readonly Place[];
  readonly said: readonly Place[];
  /** Tool calls. */
  readonly done: readonly Place[];
}

function underWay({ turn, index }: Draft, places: readonly Place[]): UnderWay {
  const turnId = turn.kind === 'running' ? turn.turnId : undefined;
  const waiting = new Set<number | undefined>();
  for (const { position, call } of index.permissions.values()) waiting.add(position).add(call);
  const others = places.filter(
    ({ entry, position }) =>
      !waiting.has(position) &&
      (position === index.openMessage?.position ||
        (turnId !== undefined && entry.turnId === turnId) ||
        (entry.kind === 'tool_call' && isToolCallOpen(entry)) ||
        (entry.kind === 'compaction' && entry.status === 'in_progress')),
  );
  return {
    asked: places.filter(({ position }) => waiting.has(position)),
    said: others.filter(({ entry }) => entry.kind !== 'tool_call'),
    done: others.filter(({ entry }) => entry.kind === 'tool_call'),
  };
}

function embeddedBy({ terminals }: Draft, entry: TranscriptEntry): [string, TerminalView][] {
  if (entry.kind !== 'tool_call') return [];
  const embedded = new Map<string, TerminalView>();
  for (const item of entry.content) {
    if (item.type !== 'terminal') continue;
    const terminal = terminals.get(item.terminalId);
    if (terminal !== undefined) embedded.set(item.terminalId, terminal);
  }
  return [...embedded];
}
