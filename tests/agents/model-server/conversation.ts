/** One turn of a conversation, as any wire format has it, oldest first. */
export type Turn =
  | { readonly kind: 'user'; readonly text: string }
  /** What a tool gave back. */
  | { readonly kind: 'result'; readonly text: string }
  /** What the model said itself, and instructions. */
  | { readonly kind: 'other' };

/** How a tool wants to be called. */
export interface ToolShape {
  /** It takes raw text in `input` instead of JSON arguments. */
  readonly isCustom: boolean;
  /** The group in which it was offered. */
  readonly namespace?: string;
}

/** A request to the model, in no particular wire format. */
export interface ModelRequest {
  readonly model: string;
  readonly turns: readonly Turn[];
  /** The tools that were offered, by name. */
  readonly tools: ReadonlyMap<string, ToolShape>;
  readonly isStream: boolean;
}

/** A tool call that the model makes. */
export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Why an answer ends. */
export type Finish = 'stop' | 'tool' | 'refuse' | 'length';

/** What the model answers, in no particular wire format. */
export interface Answer {
  readonly finish: Finish;
  /** Reasoning before the answer. */
  readonly think?: string;
  /** The text, in the pieces in which it is streamed. */
  readonly pieces: readonly string[];
  readonly calls: readonly ToolCall[];
  /** Pause between pieces, in ms. */
  readonly gapMs: number;
  /** Answer with this HTTP status instead. */
  readonly errorStatus?: number;
}

/** Splits a text into pieces, at least two where it is long enough for that. */
export function toPieces(text: string): string[] {
  const length = Math.max(1, Math.min(24, Math.ceil(text.length / 3)));
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
  return pieces.length === 0 ? [''] : pieces;
}
