import type {
  AvailableCommand,
  Cost,
  PlanEntry,
  SessionConfigOption,
  SessionMode,
} from '@signalbox/acp';
import type { ContentRef } from '../session/content-ref.ts';
import type { Actor, TerminalExited } from '../session/event.ts';
import type { PromptId, TurnId } from '../session/ids.ts';
import type { QueuedPrompt } from '../session/state.ts';
import type { TranscriptEntry } from './entry.ts';
import type { TextCut } from './text-cut.ts';

/** How full the agent's context is, and what the session has cost so far. */
export interface Usage {
  readonly used: number;
  readonly size: number;
  readonly cost?: Cost;
}

/** What the session is doing, for people. */
export type TurnSummary =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running';
      readonly turnId: TurnId;
      readonly promptId: PromptId;
      readonly startedAt: number;
      /** Set once somebody has cancelled the turn; the agent's process is ended at `graceEndsAt`. */
      readonly cancel?: { readonly by: Actor; readonly graceEndsAt: number };
    };

/** A command that the host ran for the agent, also after the agent has released it (B108). */
export interface TerminalView {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Undefined while it runs. */
  readonly exit?: TerminalExit;
}

/** How a command ended. */
export interface TerminalExit extends Omit<TerminalExited, 'terminalId'> {
  /** Where the output is, if it was too long to go along; `output` is empty then. */
  readonly outputRef?: ContentRef;
  /** Present when the beginning of `output` was left out, see `boundTranscript`. */
  readonly cut?: TextCut;
}

/** A prompt that waits, for people. */
export interface QueuedPromptView extends QueuedPrompt {
  /** Present when the oldest part of `content` was left out, see `boundTranscript`. */
  readonly cut?: TextCut;
}

/** What a transcript for delivery has no entries of. */
export interface Omitted {
  readonly entries: number;
  /**
   * Each entry that was left out began before this event, and each that began with it or later is there.
   * Older ones may be there too: whatever was still under way.
   */
  readonly beforeSeq: number;
}

/** What agents sent that does not fit the protocol. It is in the log, but not in the entries. */
export interface Diagnostics {
  readonly count: number;
  readonly last?: { readonly seq: number; readonly problem: string };
}

/**
 * A session for people: a fold of its log, the same live and rebuilt.
 *
 * It changes in place, so that an event costs the same at the start and after 100,000 others:
 * `foldTranscript` writes to the one object that `createTranscript` made. What lies inside is immutable:
 * an entry or a member that changes becomes a new object, everything else keeps its identity. So a
 * page takes `lastSeq` as the version of the whole and compares entries by identity.
 */
export interface Transcript {
  /** In the order in which they began. This array grows in place. */
  readonly entries: readonly TranscriptEntry[];
  /** Sequence number of the last event that was folded in; 0 at the start. */
  readonly lastSeq: number;
  readonly turn: TurnSummary;
  /** Prompts that wait for the turn under way, in order. */
  readonly queue: readonly QueuedPromptView[];
  readonly isAgentRunning: boolean;
  readonly plan: readonly PlanEntry[];
  readonly usage: Usage | undefined;
  readonly modes: readonly SessionMode[];
  readonly currentModeId: string | undefined;
  readonly configOptions: readonly SessionConfigOption[];
  readonly commands: readonly AvailableCommand[];
  readonly title: string | undefined;
  /** Commands that the host ran for the agent, by terminal id; tool calls embed them by that id. */
  readonly terminals: ReadonlyMap<string, TerminalView>;
  readonly diagnostics: Diagnostics;
  /** Present when entries were left out, see `boundTranscript`. */
  readonly omitted?: Omitted;
}
