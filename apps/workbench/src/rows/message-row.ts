import type { TranscriptEntry } from '@signalbox/core';
import { BlocksView } from '../content/blocks-view.ts';
import { CutNote } from '../content/cut-note.ts';
import { actorText } from '../content/texts.ts';
import { element, setText } from '../dom/element.ts';
import type { Row } from './row.ts';

/** What the user or the agent said. */
export class MessageRow implements Row {
  readonly node = element('article', { class: 'message' });
  readonly #who = element('h3');
  readonly #cut = new CutNote();
  readonly #blocks = new BlocksView();

  constructor() {
    this.node.append(this.#who, this.#cut.node, this.#blocks.node);
  }

  update(entry: TranscriptEntry): void {
    if (entry.kind !== 'user_message' && entry.kind !== 'agent_message') return;
    const isUser = entry.kind === 'user_message';
    this.node.dataset['from'] = isUser ? 'user' : 'agent';
    const user = isUser && entry.by !== undefined ? actorText(entry.by) : 'User';
    setText(this.#who, isUser ? user : 'Agent');
    this.#cut.set([entry.cut?.blocks]);
    this.#blocks.set(entry.blocks);
  }
}
