import { validateParams, type PermissionOption, type ToolCallUpdate } from '@signalbox/acp';
import type { EventOf } from './event.ts';
import { withReferenceBlocks } from './reference-block.ts';

/** What an agent asked, decoded. */
export interface DecodedRequest {
  /** Undefined when what the request says about its tool call does not fit the protocol. */
  readonly toolCall: ToolCallUpdate | undefined;
  readonly options: readonly PermissionOption[];
}

/**
 * The decoded permission request of an event, checked and repaired as it was when it came. So it is the
 * same for an event that just came and for one read from the log.
 */
export function requestOf(event: EventOf<'permission.requested'>): DecodedRequest {
  const { toolCall, options } = event.data;
  const params = {
    sessionId: '',
    toolCall: withReferenceBlocks(toolCall),
    options: options.value,
  };
  const problem = validateParams('session/request_permission', params);
  if (problem !== undefined) return { toolCall: undefined, options: [] };
  return params as { toolCall: ToolCallUpdate; options: PermissionOption[] };
}
