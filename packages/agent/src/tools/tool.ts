import type { ToolCallContent, ToolCallLocation, ToolKind } from '@signalbox/acp';
import type { Refusal, Workspace } from '../workspace/workspace.ts';

/** What came of a tool, whether it worked or not. */
export interface ToolOutcome {
  readonly isError: boolean;
  /** For the model. */
  readonly text: string;
  /** The same as data; the call's `rawOutput`. */
  readonly output?: Readonly<Record<string, unknown>>;
  /** What the client shows; without it, `text` is shown. */
  readonly content?: readonly ToolCallContent[];
  /** Places that were only found by running it; without them, those of the prepared call stand. */
  readonly locations?: readonly ToolCallLocation[];
}

/** A call whose input was found good: what it is about to do, and how to do it. */
export interface PreparedCall {
  readonly title: string;
  readonly locations: readonly ToolCallLocation[];
  /** What the change will be, to be seen before it is approved. */
  readonly preview: readonly ToolCallContent[];
  /** Does it. Called at most once; ends soon after the signal is aborted. */
  run(signal: AbortSignal): Promise<ToolOutcome>;
}

/** What a tool does to the world, which decides whether anybody is asked first. */
export type ToolEffect = 'none' | 'change' | 'command';

/** A tool that the model can call. */
export interface Tool {
  readonly name: string;
  /** What calls are named until their input is checked; without it, the name and the input say it. */
  readonly title?: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly effect: ToolEffect;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Checks the input and the paths in it; changes nothing. */
  prepare(input: unknown, workspace: Workspace): Promise<PreparedCall | Refusal>;
}

/** A failed outcome; the text says why. */
export function failed(text: string, output?: Readonly<Record<string, unknown>>): ToolOutcome {
  return output === undefined ? { isError: true, text } : { isError: true, text, output };
}

/** Text as the content of a tool call. */
export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}
