import type { ContentBlock } from '@signalbox/acp';
import { detached } from '../text/detached.ts';
import { isBlank, textOf } from './blocks.ts';

/** What repetitions of a prompt are told by. */
export interface PromptText {
  /** The prompt's text without white space around it, which agents often trim; its first {@link ECHO_LENGTH_MAX}. */
  readonly text: string;
  /** The length of all of it, in UTF-16 units. */
  readonly length: number;
  /** The types of its blocks that are no text. */
  readonly types: readonly string[];
}

/** A turn's prompt, and how much of it the agent has repeated so far. */
export interface PromptEcho extends PromptText {
  repeated: number;
}

/**
 * How much of a prompt is compared, in UTF-16 units. Whoever has repeated so much of it word by word is taken to
 * repeat the rest, up to its length: so no more of a prompt has to be kept.
 */
export const ECHO_LENGTH_MAX = 64 * 1024;

/** Begins to watch for repetitions of a prompt. */
export function createEcho(blocks: readonly ContentBlock[]): PromptEcho {
  const text = textOf(blocks).trim();
  const types = new Set(blocks.map(({ type }) => type).filter((type) => type !== 'text'));
  return {
    text: text.length > ECHO_LENGTH_MAX ? detached(text.slice(0, ECHO_LENGTH_MAX)) : text,
    length: text.length,
    types: [...types],
    repeated: 0,
  };
}

/** How a chunk of a user's message relates to the prompt. */
export type EchoMatch = 'different' | 'partial' | 'complete';

/**
 * Whether a chunk that the agent reports as the user's goes on repeating the prompt (B86). Chunks may
 * cut the prompt anywhere, and the prompt may be repeated more than once.
 */
export function matchEcho(echo: PromptEcho, block: ContentBlock): EchoMatch {
  if (block.type !== 'text') return echo.types.includes(block.type) ? 'partial' : 'different';
  if (isBlank(block) && (echo.repeated === 0 || echo.repeated === echo.length)) {
    return 'partial';
  }
  if (echo.repeated === echo.length) echo.repeated = 0;
  const piece = echo.repeated === 0 ? block.text.trimStart() : block.text;
  const left = echo.length - echo.repeated;
  const fitting = piece.length > left ? piece.trimEnd() : piece;
  const expected = echo.text.slice(echo.repeated, echo.repeated + fitting.length);
  if (fitting.length > left || !fitting.startsWith(expected)) {
    echo.repeated = 0;
    return 'different';
  }
  echo.repeated += fitting.length;
  return echo.repeated === echo.length ? 'complete' : 'partial';
}
