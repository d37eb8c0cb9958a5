import type { ToolCallContent } from '@signalbox/acp';
import {
  terminalEndText,
  type TerminalView,
  toExact,
  toExactLine,
  toPrintableLine,
} from '@signalbox/core';
import { element, setText } from '../dom/element.ts';
import { BlocksView } from './blocks-view.ts';
import { CutNote } from './cut-note.ts';
import { GrowingText } from './growing-text.ts';

/** One item of a tool call's content. */
export interface ContentPart {
  readonly node: HTMLElement;
  /** Draws an item of the type that the part was made for. */
  set(item: ToolCallContent, terminals: ReadonlyMap<string, TerminalView>): void;
}

/** Makes the part of an item. */
export function createContentPart(item: ToolCallContent): ContentPart {
  switch (item.type) {
    case 'content':
      return new BlockPart();
    case 'diff':
      return new DiffPart();
    case 'terminal':
      return new TerminalPart();
    default:
      return new UnknownPart();
  }
}

class BlockPart implements ContentPart {
  readonly #blocks = new BlocksView();
  readonly node = this.#blocks.node;

  set(item: ToolCallContent): void {
    if (item.type === 'content') this.#blocks.set([item.content]);
  }
}

class DiffPart implements ContentPart {
  readonly node = element('div', { class: 'diff' });
  readonly #path = element('div', { class: 'path', attributes: { dir: 'auto' } });
  readonly #before = new GrowingText('pre');
  readonly #after = new GrowingText('pre');

  constructor() {
    this.#before.node.classList.add('before');
    this.#after.node.classList.add('after');
    this.node.append(this.#path, this.#before.node, this.#after.node);
  }

  set(item: ToolCallContent): void {
    if (item.type !== 'diff') return;
    const oldText = item.oldText ?? '';
    setText(this.#path, `${toExactLine(item.path)}${oldText === '' ? ' (new)' : ''}`);
    this.#before.set(toExact(oldText));
    this.#before.node.hidden = oldText === '';
    this.#after.set(toExact(item.newText));
  }
}

class TerminalPart implements ContentPart {
  readonly node = element('div', { class: 'terminal' });
  readonly #command = element('div', { class: 'command' });
  readonly #cut = new CutNote();
  readonly #output = new GrowingText('pre');

  constructor() {
    this.node.append(this.#command, this.#cut.node, this.#output.node);
  }

  set(item: ToolCallContent, terminals: ReadonlyMap<string, TerminalView>): void {
    if (item.type !== 'terminal') return;
    const terminal = terminals.get(item.terminalId);
    const command = toExactLine(terminal?.argv.join(' ') ?? item.terminalId);
    setText(this.#command, `$ ${command}${exitText(terminal)}`);
    this.#cut.set([terminal?.exit?.cut]);
    this.#output.set(terminal?.exit?.output ?? '');
  }
}

class UnknownPart implements ContentPart {
  readonly node = element('div', { class: 'other-content' });

  set(item: ToolCallContent): void {
    setText(this.node, `[content of unknown type ${toPrintableLine(item.type)}]`);
  }
}

function exitText(terminal: TerminalView | undefined): string {
  if (terminal === undefined) return '';
  const { exit } = terminal;
  if (exit === undefined) return ' (runs)';
  return ` (${terminalEndText(exit)})`;
}
