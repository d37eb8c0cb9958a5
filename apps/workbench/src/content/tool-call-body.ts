import type { RawJson, ToolCallContent } from '@signalbox/acp';
import type { TerminalView, ToolCallEntry } from '@signalbox/core';
import { element } from '../dom/element.ts';
import { createContentPart, type ContentPart } from './content-part.ts';
import { CutNote } from './cut-note.ts';
import { GrowingText } from './growing-text.ts';

/** Everything that is known of one tool call. What has not changed keeps its place in the page. */
export class ToolCallBody {
  readonly node = element('div');
  readonly #cut = new CutNote();
  readonly #content = element('div');
  readonly #input = new RawPart('Input');
  readonly #output = new RawPart('Output');
  readonly #shown: { readonly item: ToolCallContent; readonly part: ContentPart }[] = [];

  constructor() {
    this.node.append(this.#cut.node, this.#input.node, this.#content, this.#output.node);
  }

  update(entry: ToolCallEntry, terminals: ReadonlyMap<string, TerminalView>): void {
    this.#cut.set(Object.values(entry.cut ?? {}));
    this.#input.set(entry.rawInput);
    // Agents mostly repeat in their raw output what they show.
    this.#output.set(entry.content.length === 0 ? entry.rawOutput : undefined);
    for (const [index, item] of entry.content.entries()) {
      const known = this.#shown[index];
      const part = known?.item.type === item.type ? known.part : createContentPart(item);
      if (known === undefined) this.#content.append(part.node);
      else if (part !== known.part) known.part.node.replaceWith(part.node);
      part.set(item, terminals);
      this.#shown[index] = { item, part };
    }
    for (const { part } of this.#shown.splice(entry.content.length)) part.node.remove();
  }
}

/** JSON as the agent wrote it. */
class RawPart {
  readonly node: HTMLElement;
  readonly #text = new GrowingText('pre');

  constructor(name: string) {
    this.node = element('section', {}, element('h4', { text: name }), this.#text.node);
  }

  set(raw: RawJson | undefined): void {
    this.node.hidden = raw === undefined;
    this.#text.set(raw?.text ?? '');
  }
}
