import type { ContentBlock } from '@signalbox/acp';
import { isBlank, textOf } from './blocks.ts';

/** A turn's prompt, and how much of it the agent has repeated so far. */
export interface PromptEcho {
  readonly blocks: readonly ContentBlock[];
  /** The prompt's text without white space around it, which agents often trim. */
  readonly text: string;
  repeated: number;
}

/** Begins to watch for repetitions of a prompt. */
export function createEcho(blocks: readonly ContentBlock[]): PromptEcho {
  return { blocks, text: textOf(blocks).trim(), repeated: 0 };
}

/** How a chunk of a user's message relates to the prompt. */
export type EchoMatch = 'different' | 'partial' | 'complete';

/**
 * Whether a chunk that the agent reports as the user's goes on repeating the prompt (B86). Chunks may
 * cut the prompt anywhere, and the prompt may be repeated more than once.
 */
export function matchEcho(echo: PromptEcho, block: ContentBlock): EchoMatch {
  if (block.type !== 'text') {
    return echo.blocks.some(({ type }) => type === block.type) ? 'partial' : 'different';
  }
  if (isBlank(block) && (echo.repeated === 0 || echo.repeated === echo.text.length)) {
    return 'partial';
  }
  if (echo.repeated === echo.text.length) echo.repeated = 0;
  const piece = echo.repeated === 0 ? block.text.trimStart() : block.text;
  const left = echo.text.length - echo.repeated;
  const fitting = piece.length > left ? piece.trimEnd() : piece;
  if (fitting.length > left || !echo.text.startsWith(fitting, echo.repeated)) {
    echo.repeated = 0;
    return 'different';
  }
  echo.repeated += fitting.length;
  return echo.repeated === echo.text.length ? 'complete' : 'partial';
}
