import type { RawJson, ToolCallContent, ToolCallLocation } from '@signalbox/acp';
import type { ToolCallStatus } from '../session/tool-call.ts';
import type { EntryPlace } from './entry.ts';

/** Why a tool call was left open by its agent and still is over. */
export type Interruption =
  /** Its turn was cancelled. */
  | 'cancelled'
  /** The agent's process ended. */
  | 'agent_exited'
  /** Leave for it was refused. */
  | 'denied'
  /** Its turn ended without a last word about it. */
  | 'turn_ended';

/** One tool call, merged from all news about it. Absent and null members of news change nothing. */
export interface ToolCallEntry extends EntryPlace {
  readonly kind: 'tool_call';
  readonly toolCallId: string;
  /** Empty as long as the agent has not said. */
  readonly title: string;
  /** The tool's name in the agent's program. */
  readonly name?: string;
  /** `other` when the agent did not say. A kind that the protocol does not know is kept as text. */
  readonly toolKind: string;
  /** The protocol's status; `interrupted` is ours alone. Late news may still correct it. */
  readonly status: ToolCallStatus | 'interrupted';
  /** Present exactly when the status is `interrupted`. */
  readonly interruption?: Interruption;
  /** The last list given. Items of unknown types are kept as they came. */
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  /** Exactly as the agent wrote it. */
  readonly rawInput?: RawJson;
  readonly rawOutput?: RawJson;
}

/** Whether a call is neither over nor interrupted. */
export function isToolCallOpen({ status }: ToolCallEntry): boolean {
  return status === 'pending' || status === 'in_progress';
}
