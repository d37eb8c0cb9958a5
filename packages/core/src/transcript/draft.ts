import type { PermissionId, TurnId } from '../session/ids.ts';
import type { MessageEntry, EntryPlace, TranscriptEntry } from './entry.ts';
import type { PromptEcho } from './echo.ts';
import { createLeftOut, type LeftOut } from './left-out.ts';
import type { StoredEvent } from './stored-event.ts';
import type { TerminalView, Transcript } from './transcript.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A transcript with write access and with what folding needs to be quick. Internal. */
export interface Draft extends Writable<Omit<Transcript, 'entries'>> {
  readonly entries: TranscriptEntry[];
  terminals: Map<string, TerminalView>;
  readonly index: Index;
}

/** A message that further chunks may join. */
export interface OpenMessage {
  entry: MessageEntry;
  /** Where it stands; undefined as long as there is nothing in it to see. */
  position: number | undefined;
}

/** What folding needs to be quick. Internal. */
export interface Index extends EntryIndex {
  openMessage: OpenMessage | undefined;
  /** The prompt of the turn under way, which the agent may repeat. */
  echo: PromptEcho | undefined;
  readonly leftOut: LeftOut;
}

/** Where entries stand. It follows from the entries alone, see `indexEntries`. */
export interface EntryIndex {
  /** Where the last tool call with this id stands. An id may come again in a later turn. */
  readonly calls: Map<string, number>;
  /** Where the tool calls stand that are neither over nor interrupted. */
  readonly openCalls: Set<number>;
  /** Requests without an outcome. */
  readonly permissions: Map<PermissionId, { position: number; call: number | undefined }>;
  readonly compactions: Map<string, number>;
  /** The positions that a turn's entries lie between; no end while it runs. */
  readonly turns: Map<TurnId, { readonly from: number; to?: number }>;
}

/** The empty draft. */
export function createDraft(): Draft {
  return {
    entries: [],
    lastSeq: 0,
    turn: { kind: 'idle' },
    queue: [],
    isAgentRunning: false,
    plan: [],
    usage: undefined,
    modes: [],
    currentModeId: undefined,
    configOptions: [],
    commands: [],
    title: undefined,
    terminals: new Map(),
    diagnostics: { count: 0 },
    index: {
      openMessage: undefined,
      echo: undefined,
      calls: new Map(),
      openCalls: new Set(),
      permissions: new Map(),
      compactions: new Map(),
      turns: new Map(),
      leftOut: createLeftOut(),
    },
  };
}

/** The place of an entry that begins with this event. */
export function placeOf(
  kind: TranscriptEntry['kind'],
  { seq, firstSeq = seq, event }: StoredEvent,
): EntryPlace {
  const place = { id: `${kind}:${firstSeq}`, firstSeq, lastSeq: seq, time: event.time };
  return event.turnId === undefined ? place : { ...place, turnId: event.turnId };
}

/** Adds an entry. @returns its position, which never changes. */
export function push(draft: Draft, entry: TranscriptEntry): number {
  draft.entries.push(entry);
  return draft.entries.length - 1;
}

/** The message under way is over; the next chunk begins a new one. What was never visible is gone. */
export function closeMessage(draft: Draft): void {
  draft.index.openMessage = undefined;
}

/** Counts something that does not fit the protocol. */
export function diagnose(draft: Draft, seq: number, problem: string): void {
  draft.diagnostics = { count: draft.diagnostics.count + 1, last: { seq, problem } };
}
