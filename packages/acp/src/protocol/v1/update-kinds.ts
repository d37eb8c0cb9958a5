import type { SessionUpdate } from './types.ts';

/** The kind of a `session/update`, from its member `sessionUpdate`. */
export type UpdateKind = SessionUpdate['sessionUpdate'];

/** Every kind of update that this version of the protocol defines. */
export const UPDATE_KINDS = [
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
  'notice',
  'compaction_update',
  'compaction_summary_chunk',
] as const satisfies readonly UpdateKind[];

const KNOWN_KINDS: ReadonlySet<string> = new Set(UPDATE_KINDS);

/**
 * Whether an update is of a kind we know the members of. Updates of other kinds are valid; they are
 * forwarded and kept as they came.
 */
export function isKnownUpdateKind(kind: string): kind is UpdateKind {
  return KNOWN_KINDS.has(kind);
}
