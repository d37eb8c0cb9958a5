import type { ContentBlock } from '@signalbox/acp';
import { toPrintableLine } from '@signalbox/core';
import { element, setText } from '../dom/element.ts';
import { GrowingText } from './growing-text.ts';

/** One block in the page. */
interface BlockView {
  readonly isText: boolean;
  readonly node: HTMLElement;
  set(block: ContentBlock): void;
}

/** The blocks of a message. What is no text is named, never left out without a word (B81). */
export class BlocksView {
  readonly node = element('div', { class: 'blocks' });
  #blocks: readonly ContentBlock[] = [];
  readonly #views: BlockView[] = [];

  set(blocks: readonly ContentBlock[]): void {
    for (const [index, block] of blocks.entries()) {
      if (this.#blocks[index] !== block) this.#setOne(index, block);
    }
    for (const view of this.#views.splice(blocks.length)) view.node.remove();
    this.#blocks = blocks;
  }

  #setOne(index: number, block: ContentBlock): void {
    const isText = textOf(block) !== undefined;
    let view = this.#views[index];
    if (view?.isText !== isText) {
      const made = isText ? createTextView() : createNameView();
      if (view === undefined) this.node.append(made.node);
      else view.node.replaceWith(made.node);
      view = made;
      this.#views[index] = made;
    }
    view.set(block);
  }
}

/** A block on one line. */
export function blockText(block: ContentBlock): string {
  return toPrintableLine(textOf(block) ?? nameOf(block));
}

function createTextView(): BlockView {
  const text = new GrowingText('div');
  return { isText: true, node: text.node, set: (block) => text.set(textOf(block) ?? '') };
}

function createNameView(): BlockView {
  const node = element('div', { class: 'other-content' });
  return { isText: false, node, set: (block) => setText(node, toPrintableLine(nameOf(block))) };
}

function textOf(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
  return undefined;
}

function nameOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${sizeOf(block.data)}]`;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource':
      return `[resource ${block.resource.uri}]`;
    default:
      return `[content of unknown type ${String((block as { type: unknown }).type)}]`;
  }
}

/** The size of base64 data. */
function sizeOf(data: string): string {
  return `${Math.ceil((data.length * 3) / 4 / 1024)} KiB`;
}
