import { stringAt, type JsonObject } from '../json/json.ts';
import { isInReplay, type Turn } from './turns.ts';
import type { View } from './view.ts';
import type { WireMessage } from './wire-message.ts';

/** A tool call as far as it was reported. */
export interface ToolState {
  readonly id: string;
  readonly status: string;
  readonly last: WireMessage;
}

/** Whether a status ends a call. */
export function isFinal(status: string | undefined): boolean {
  return status === 'completed' || status === 'failed';
}

/** The status that an update leaves a tool call in, given the one before. */
export function statusAfter(before: string | undefined, update: JsonObject): string {
  return stringAt(update, 'status') ?? before ?? 'pending';
}

/** The tool calls that a turn reported and left neither completed nor failed. */
export function openToolCalls(view: View, turn: Turn): readonly ToolState[] {
  const states = new Map<string, ToolState>();
  for (const { kind, update, message, sessionId } of turn.updates) {
    const id = stringAt(update, 'toolCallId');
    if (id === undefined || (kind !== 'tool_call' && kind !== 'tool_call_update')) continue;
    if (isInReplay(view, sessionId, message.index)) continue;
    const before = kind === 'tool_call' ? undefined : states.get(id)?.status;
    // An update alone, without a report, may concern a call of an earlier turn.
    if (kind === 'tool_call_update' && !states.has(id) && !isFirstReport(view, id, message))
      continue;
    states.set(id, { id, status: statusAfter(before, update), last: message });
  }
  return [...states.values()].filter(({ status }) => !isFinal(status));
}

function isFirstReport({ updates }: View, id: string, message: WireMessage): boolean {
  return !updates.some(
    (other) => stringAt(other.update, 'toolCallId') === id && other.message.index < message.index,
  );
}
