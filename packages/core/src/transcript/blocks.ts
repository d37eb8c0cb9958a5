import type { ContentBlock, RawJson, TextContent } from '@signalbox/acp';
import { withReferenceBlocks } from '../session/reference-block.ts';

type TextBlock = TextContent & { readonly type: 'text' };

/** Appends a block; text behind text of the same make becomes one block, with nothing in between. */
export function appendBlock(
  blocks: readonly ContentBlock[],
  block: ContentBlock,
): readonly ContentBlock[] {
  const text = continued(blocks[blocks.length - 1], block);
  if (text === undefined) return [...blocks, block];
  return blocks.length === 1 ? [text] : [...blocks.slice(0, -1), text];
}

/** Whether a block becomes a part of the last one. */
export function joinsLast(blocks: readonly ContentBlock[], block: ContentBlock): boolean {
  return continued(blocks[blocks.length - 1], block) !== undefined;
}

/** Whether there is nothing to see in a block. */
export function isBlank(block: ContentBlock): boolean {
  return block.type === 'text' && !/\S/.test(block.text);
}

/** The text in blocks, as it is. */
export function textOf(blocks: readonly ContentBlock[]): string {
  let text = '';
  for (const block of blocks) if (block.type === 'text') text += block.text;
  return text;
}

/** The blocks of a prompt, which its sender has checked. */
export function toBlocks(content: RawJson): readonly ContentBlock[] {
  const blocks = withReferenceBlocks(content);
  return Array.isArray(blocks) ? (blocks as ContentBlock[]) : [];
}

function continued(last: ContentBlock | undefined, block: ContentBlock): ContentBlock | undefined {
  if (last?.type !== 'text' || block.type !== 'text' || !isSameMake(last, block)) return undefined;
  return { ...last, text: last.text + block.text };
}

/** Annotations say something about a whole block, so text with other ones stays apart. */
function isSameMake(a: TextBlock, b: TextBlock): boolean {
  return makeOf(a) === makeOf(b);
}

function makeOf({ annotations, _meta }: TextBlock): string {
  if (annotations == null && _meta == null) return '';
  return JSON.stringify([annotations, _meta]);
}
