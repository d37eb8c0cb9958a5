import type { RawJson } from '@signalbox/acp';
import type { ToolCallState } from '../session/tool-call.ts';

/**
 * What an agent says it is about to do, as a structured identity. For an external agent this is its
 * claim; where the host itself executes, it checks the very arguments again.
 */
export interface Action {
  /** The tool's kind as the protocol names it; `other` when the agent did not say. */
  readonly kind: string;
  readonly title: string;
  /** The paths that the agent named, in its own spelling. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** The arguments exactly as the agent wrote them; undefined when it gave none. */
  readonly rawInput?: RawJson;
}

/** The action behind a tool call, from everything that is known about the call. */
export function toAction(toolCall: ToolCallState, cwd: string): Action {
  return {
    kind: toolCall.kind,
    title: toolCall.title,
    paths: toolCall.locations.map((location) => location.path),
    cwd,
    ...(toolCall.rawInput === undefined ? {} : { rawInput: toolCall.rawInput }),
  };
}
