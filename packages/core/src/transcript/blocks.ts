import type { ContentBlock, TextContent } from '@signalbox/acp';

type TextBlock = TextContent & { readonly type: 'text' };

/** Appends a block; text behind text of the same make becomes one block, with nothing in between. */
export function appendBlock(
  blocks: readonly ContentBlock[],
  block: ContentBlock,
): readonly ContentBlock[] {
  const last = blocks[blocks.length - 1];
  if (last?.type !== 'text' || block.type !== 'text' || !isSameMake(last, block)) {
    return [...blocks, block];
  }
  const merged: ContentBlock = { ...last, text: last.text + block.text };
  return blocks.length === 1 ? [merged] : [...blocks.slice(0, -1), merged];
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
export function toBlocks(content: unknown): readonly ContentBlock[] {
  return Array.isArray(content) ? (content as ContentBlock[]) : [];
}

/** Annotations say something about a whole block, so text with other ones stays apart. */
function isSameMake(a: TextBlock, b: TextBlock): boolean {
  return makeOf(a) === makeOf(b);
}

function makeOf({ annotations, _meta }: TextBlock): string {
  if (annotations == null && _meta == null) return '';
  return JSON.stringify([annotations, _meta]);
}
