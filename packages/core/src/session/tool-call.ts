import {
  memberText,
  RawJson,
  type SessionUpdate,
  type ToolCallLocation,
  type ToolCallUpdate,
} from '@signalbox/acp';
import { detached } from '../text/detached.ts';

/** The state that the protocol knows for a tool call. */
export type ToolCallStatus = 'pending' | 'in_progress' | 'completed' | 'failed';

/** What is known of one tool call that has not ended. */
export interface ToolCallState {
  readonly toolCallId: string;
  readonly title: string;
  /** `other` when the agent did not say. */
  readonly kind: string;
  readonly status: ToolCallStatus;
  readonly locations: readonly ToolCallLocation[];
  /** The arguments, exactly as the agent wrote them. */
  readonly rawInput?: RawJson;
}

/** Whether no further status follows by the protocol's rules. */
export function isToolCallOver(status: ToolCallStatus): boolean {
  return status === 'completed' || status === 'failed';
}

/**
 * Folds news about a tool call into what was known: absent and null leave a member as it is, given
 * lists replace (R-TOOL). The call need not have been announced before (B72), and a `tool_call` for a
 * known id is an update like any other.
 *
 * @param raw the text that `news` was decoded from.
 */
export function mergeToolCall(
  known: ToolCallState | undefined,
  news: ToolCallUpdate | Extract<SessionUpdate, { sessionUpdate: 'tool_call' }>,
  raw: RawJson,
): ToolCallState {
  const rawInput = rawMemberOf(raw, 'rawInput', news.rawInput) ?? known?.rawInput;
  return {
    toolCallId: news.toolCallId,
    title: news.title ?? known?.title ?? '',
    kind: news.kind ?? known?.kind ?? 'other',
    status: news.status ?? known?.status ?? 'pending',
    locations: news.locations ?? known?.locations ?? [],
    ...(rawInput === undefined ? {} : { rawInput }),
  };
}

/** A member of a text that is longer than itself by more than this is kept by itself, in characters. */
const DETACHED_FROM = 64 * 1024;

/** A member of the agent's news with its exact text; undefined when it is absent or null. */
export function rawMemberOf(raw: RawJson, member: string, value: unknown): RawJson | undefined {
  if (value === undefined || value === null) return undefined;
  const text = memberText(raw.text, member);
  if (text === undefined) return undefined;
  const isSmallPart = raw.text.length - text.length > DETACHED_FROM;
  return new RawJson(isSmallPart ? detached(text) : text, value);
}
