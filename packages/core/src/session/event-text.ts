import { memberText, RawJson, rawObject } from '@signalbox/acp';
import { CoreError } from '../core-error.ts';
import type { SessionEvent, SessionEventType } from './event.ts';

/** Members of an event's data that hold somebody else's JSON, kept as its exact text. */
const RAW_MEMBERS: Partial<Record<SessionEventType, readonly string[]>> = {
  'agent.started': ['initialized', 'session'],
  'prompt.queued': ['content'],
  'turn.started': ['content'],
  update: ['update'],
  'permission.requested': ['toolCall', 'options'],
};

/** Writes an event as one line of JSON. What is somebody else's keeps its exact text. */
export function encodeEvent(event: SessionEvent): string {
  const { time, type, turnId } = event;
  return rawObject({ time, type, turnId, data: rawObject(toMembers(event)) }).text;
}

function toMembers(event: SessionEvent): Record<string, unknown> {
  if (event.type !== 'permission.requested') return { ...event.data };
  // The one raw member that lies deeper: the arguments inside the action.
  return { ...event.data, action: rawObject({ ...event.data.action }) };
}

/**
 * Reads an event that {@link encodeEvent} wrote.
 *
 * @throws CoreError `journal_corrupt` when the text is no event.
 */
export function decodeEvent(text: string): SessionEvent {
  let event: { type?: unknown; data?: unknown } | null;
  try {
    event = JSON.parse(text) as typeof event;
  } catch (cause) {
    throw new CoreError('journal_corrupt', 'a stored event is not JSON', { cause });
  }
  if (typeof event?.type !== 'string' || typeof event.data !== 'object' || event.data === null) {
    throw new CoreError('journal_corrupt', 'a stored event has no type or no data');
  }
  const rawMembers = RAW_MEMBERS[event.type as SessionEventType];
  if (rawMembers !== undefined) {
    const data = event.data as Record<string, unknown>;
    for (const member of rawMembers) {
      data[member] = new RawJson(memberText(text, 'data', member) ?? 'null', data[member]);
    }
    if (event.type === 'permission.requested') restoreAction(data, text);
  }
  return event as SessionEvent;
}

function restoreAction(data: Record<string, unknown>, text: string): void {
  const action = data['action'] as Record<string, unknown> | undefined;
  const rawInput = memberText(text, 'data', 'action', 'rawInput');
  if (action === undefined || rawInput === undefined) return;
  action['rawInput'] = new RawJson(rawInput, action['rawInput']);
}
