import type { Wire } from './wire.ts';

/** A report of a tool call. */
export const CALL = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'x' };

/** A chunk of text. */
export function chunk(text: string, more: object = {}, kind = 'agent_message_chunk'): never {
  return { sessionUpdate: kind, content: { type: 'text', text }, ...more } as never;
}

/** One update after the handshake. */
export function say(update: object): (wire: Wire) => void {
  return (wire) => wire.ready().update(update as never);
}

/** A turn with these updates. */
export function turn(result: unknown, ...updates: readonly object[]): (wire: Wire) => void {
  return (wire) =>
    wire
      .ready()
      .turn((inner) => updates.forEach((update) => inner.update(update as never)), result);
}
