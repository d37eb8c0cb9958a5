import type { Action } from '../policy/action.ts';
import type { PermissionEntry, TranscriptEntry, UnknownUpdateEntry } from './entry.ts';
import type { PromptText } from './echo.ts';
import type { LeftOutCall } from './left-out.ts';
import type { ToolCallEntry } from './tool-call-entry.ts';
import type { QueuedPromptView, TerminalView, Transcript } from './transcript.ts';

/** Names how a transcript is written; a change that older versions cannot read gives another name. */
export const TRANSCRIPT_FORMAT = 'transcript/1';

/** Somebody else's JSON as its exact text, so that decoding and encoding keep every digit of it. */
export type JsonText = string;

/** An entry as a JSON value. */
export type EntryJson =
  | Exclude<TranscriptEntry, ToolCallEntry | PermissionEntry | UnknownUpdateEntry>
  | ToolCallJson
  | PermissionJson
  | UnknownUpdateJson;

/** A tool call as a JSON value. */
export interface ToolCallJson extends Omit<ToolCallEntry, 'rawInput' | 'rawOutput'> {
  readonly rawInput?: JsonText;
  readonly rawOutput?: JsonText;
}

/** A permission request as a JSON value. */
export interface PermissionJson extends Omit<PermissionEntry, 'action'> {
  readonly action: Omit<Action, 'rawInput'> & { readonly rawInput?: JsonText };
}

/** An update of an unknown kind as a JSON value. */
export interface UnknownUpdateJson extends Omit<UnknownUpdateEntry, 'raw'> {
  readonly raw: JsonText;
}

/** A prompt that waits as a JSON value. */
export interface QueuedPromptJson extends Omit<QueuedPromptView, 'content'> {
  readonly content: JsonText;
}

/** What further events need beside the entries. */
export interface FoldingJson {
  /** The message under way: where it stands, or the entry itself while there is nothing to see in it. */
  readonly openMessage?: number | EntryJson;
  /** How much of the running turn's prompt the agent has repeated, in UTF-16 units. */
  readonly echoed?: number;
  /** What that is compared with, where it does not follow from the prompt's entry. */
  readonly prompt?: PromptText;
  /** Tool calls whose entries were left out, by tool call id. */
  readonly leftOutCalls?: readonly (readonly [string, LeftOutCall])[];
  /** Even older calls were left out. */
  readonly hasForgotten?: true;
  /** Ids of compactions whose entries were left out. */
  readonly leftOutCompactions?: readonly string[];
}

/** A transcript as a JSON value. Made by `encodeTranscript` and read by `decodeTranscript`. */
export interface TranscriptJson extends Omit<
  Transcript,
  'entries' | 'queue' | 'usage' | 'currentModeId' | 'title' | 'terminals'
> {
  readonly format: typeof TRANSCRIPT_FORMAT;
  readonly entries: readonly EntryJson[];
  readonly queue: readonly QueuedPromptJson[];
  readonly usage?: NonNullable<Transcript['usage']>;
  readonly currentModeId?: string;
  readonly title?: string;
  readonly terminals: readonly (readonly [string, TerminalView])[];
  readonly folding: FoldingJson;
}
