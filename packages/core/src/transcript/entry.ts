import type { ContentBlock, PermissionOption, RawJson } from '@signalbox/acp';
import type { Action } from '../policy/action.ts';
import type {
  Actor,
  AgentExit,
  PermissionOutcome,
  PermissionWithdrawal,
  RestoredBy,
  TurnEnd,
} from '../session/event.ts';
import type { PermissionId, PromptId, TurnId } from '../session/ids.ts';
import type { EntryCut } from './text-cut.ts';
import type { ToolCallEntry } from './tool-call-entry.ts';

/** What every entry has. */
export interface EntryPlace {
  /** Stable: the same live, after a reload and on every machine. Made from kind and first event. */
  readonly id: string;
  /** Absent: it came outside of any turn and belongs to no turn's result. */
  readonly turnId?: TurnId;
  /** The first and the last event of the log that this entry was made from. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** When its first event happened: ms since 1970. */
  readonly time: number;
  /** Present when the beginnings of long texts were left out, see `boundTranscript`. */
  readonly cut?: EntryCut;
}

/** What a user said: a prompt, or a message that the agent reports as the user's. */
export interface UserMessageEntry extends EntryPlace {
  readonly kind: 'user_message';
  /** Absent when the agent reported it. */
  readonly promptId?: PromptId;
  readonly by?: Actor;
  readonly messageId?: string;
  readonly blocks: readonly ContentBlock[];
}

/**
 * What the agent said to the user, without a break. A message that a tool call or a thought interrupts
 * goes on in a further entry with the same `messageId`.
 */
export interface AgentMessageEntry extends EntryPlace {
  readonly kind: 'agent_message';
  readonly messageId?: string;
  /** Consecutive text is one block. Blocks of unknown types are kept as they came. */
  readonly blocks: readonly ContentBlock[];
}

/** What the agent thought. Never a part of a message or a result. */
export interface ThoughtEntry extends EntryPlace {
  readonly kind: 'thought';
  readonly messageId?: string;
  readonly blocks: readonly ContentBlock[];
}

/** Something that the agent asked leave for. Waits as long as it has no outcome. */
export interface PermissionEntry extends EntryPlace {
  readonly kind: 'permission';
  readonly permissionId: PermissionId;
  /** Id of the entry of the tool call in question; absent when the request names none. */
  readonly toolCallEntryId?: string;
  readonly action: Action;
  readonly options: readonly PermissionOption[];
  /** When it is denied if nobody has answered: ms since 1970. Absent: it was decided at once. */
  readonly deadline?: number;
  readonly outcome?: PermissionOutcome;
  readonly by?: Actor;
  readonly withdrawal?: PermissionWithdrawal;
}

/** The end of a turn. */
export interface TurnEndEntry extends EntryPlace {
  readonly kind: 'turn_end';
  readonly promptId: PromptId;
  readonly end: TurnEnd;
  readonly durationMs: number;
}

/** A prompt that waited and will not run. */
export interface PromptDroppedEntry extends EntryPlace {
  readonly kind: 'prompt_dropped';
  readonly promptId: PromptId;
  readonly blocks: readonly ContentBlock[];
  readonly by: Actor;
}

/** The agent's process is ready. */
export interface AgentStartedEntry extends EntryPlace {
  readonly kind: 'agent_started';
  readonly restoredBy: RestoredBy;
}

/** The agent's process has ended. */
export interface AgentExitedEntry extends EntryPlace, AgentExit {
  readonly kind: 'agent_exited';
  readonly isExpected: boolean;
}

/** Something that the agent tells beside its messages. */
export interface NoticeEntry extends EntryPlace {
  readonly kind: 'notice';
  /** `info`, `warning`, `error`, or whatever else the agent wrote. */
  readonly severity: string;
  readonly title: string;
  readonly description?: string;
}

/** The agent shortens what it remembers of the session. */
export interface CompactionEntry extends EntryPlace {
  readonly kind: 'compaction';
  readonly compactionId: string;
  /** `in_progress`, `completed`, `failed`, `cancelled`, or whatever else the agent wrote. */
  readonly status: string;
  readonly summary: readonly ContentBlock[];
  readonly error?: string;
}

/** An update of a kind that this version does not know, as it came. */
export interface UnknownUpdateEntry extends EntryPlace {
  readonly kind: 'unknown_update';
  readonly updateKind: string;
  readonly raw: RawJson;
}

/** One thing in a session's history, in the order in which they began. */
export type TranscriptEntry =
  | UserMessageEntry
  | AgentMessageEntry
  | ThoughtEntry
  | ToolCallEntry
  | PermissionEntry
  | TurnEndEntry
  | PromptDroppedEntry
  | AgentStartedEntry
  | AgentExitedEntry
  | NoticeEntry
  | CompactionEntry
  | UnknownUpdateEntry;

/** Entries that are made of chunks. */
export type MessageEntry = UserMessageEntry | AgentMessageEntry | ThoughtEntry;
