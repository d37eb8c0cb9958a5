import { isRpcError } from '@signalbox/acp';
import type { Actor, SessionEvent, Transcript, TurnEnd, TurnFailure } from '@signalbox/core';

/** What became of a prompt: how its turn ended, or that it was dropped before it had one. */
export type PromptEnd = TurnEnd | { readonly kind: 'dropped'; readonly by: Actor };

/** What the log says of prompts. */
export interface PromptNews {
  readonly promptId: string;
  /** Undefined: the log has the prompt, and nothing has ended it so far. */
  readonly end: PromptEnd | undefined;
}

/** What an event says of a prompt, if anything. */
export function promptNewsOf(event: SessionEvent): PromptNews | undefined {
  switch (event.type) {
    case 'prompt.queued':
    case 'turn.started':
      return { promptId: event.data.promptId, end: undefined };
    case 'turn.finished':
      return { promptId: event.data.promptId, end: event.data.end };
    case 'prompt.dropped':
      return { promptId: event.data.promptId, end: { kind: 'dropped', by: event.data.by } };
    default:
      return undefined;
  }
}

/** What a session's view says of prompts; later news of one prompt come behind earlier ones. */
export function* promptNewsIn(view: Transcript): Generator<PromptNews> {
  for (const entry of view.entries) {
    if (entry.kind === 'user_message' && entry.promptId !== undefined) {
      yield { promptId: entry.promptId, end: undefined };
    } else if (entry.kind === 'turn_end') {
      yield { promptId: entry.promptId, end: entry.end };
    } else if (entry.kind === 'prompt_dropped') {
      yield { promptId: entry.promptId, end: { kind: 'dropped', by: entry.by } };
    }
  }
  if (view.turn.kind === 'running') yield { promptId: view.turn.promptId, end: undefined };
  for (const { promptId } of view.queue) yield { promptId, end: undefined };
}

/** The failures that an error answer to a prompt can name as the end of its turn. */
const TURN_FAILURES: Readonly<Record<TurnFailure, true>> = {
  agent_start: true,
  agent_exited: true,
  agent_error: true,
  auth_required: true,
  invalid_response: true,
  turn_idle: true,
  interrupted: true,
};

/** The end of a turn that the server tells by an error; undefined when the error says something else. */
export function turnEndOf(error: unknown): TurnEnd | undefined {
  if (!isRpcError(error)) return undefined;
  const { failure } = (error.data ?? {}) as { failure?: unknown };
  if (typeof failure !== 'string' || !Object.hasOwn(TURN_FAILURES, failure)) return undefined;
  const { message, code } = error;
  const end = { kind: 'failed', failure: failure as TurnFailure, message } as const;
  // Only these two are errors of the agent itself; the code of the others is the server's.
  return failure === 'agent_error' || failure === 'auth_required' ? { ...end, code } : end;
}
