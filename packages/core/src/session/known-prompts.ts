import type { RawJson } from '@signalbox/acp';
import type { TurnEnd } from './event.ts';
import type { PromptId } from './ids.ts';

/** A prompt that the session has taken, kept for a while so that the same prompt never runs twice. */
export interface KnownPrompt {
  readonly promptId: PromptId;
  /** Tells another content under the same id apart. */
  readonly contentMark: string;
  /** How it ended; undefined while it waits or runs. */
  readonly end?: TurnEnd;
}

/** How many prompts that have ended are remembered. */
export const KNOWN_PROMPTS_MAX = 32;

/** Remembers a prompt that was queued or whose turn began. */
export function knowPrompt(
  known: readonly KnownPrompt[],
  promptId: PromptId,
  content: RawJson,
): readonly KnownPrompt[] {
  if (known.some((prompt) => prompt.promptId === promptId)) return known;
  return [...known, { promptId, contentMark: contentMarkOf(content) }];
}

/** Remembers how a prompt ended, and forgets the oldest of those that have. */
export function knowPromptEnd(
  known: readonly KnownPrompt[],
  promptId: PromptId,
  end: TurnEnd,
): readonly KnownPrompt[] {
  const next = known.map((prompt) => (prompt.promptId === promptId ? { ...prompt, end } : prompt));
  const endedCount = next.filter((prompt) => prompt.end !== undefined).length;
  if (endedCount <= KNOWN_PROMPTS_MAX) return next;
  const oldest = next.findIndex((prompt) => prompt.end !== undefined);
  return next.filter((_, index) => index !== oldest);
}

/** A short mark (length and FNV-1a) of a prompt's exact text. It finds mistakes; it protects nothing. */
export function contentMarkOf({ text }: RawJson): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${text.length}.${(hash >>> 0).toString(36)}`;
}
