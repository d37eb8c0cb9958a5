import type { PlanEntry } from '@signalbox/acp';
import { toPrintableLine } from '@signalbox/core';
import { Fold } from '../content/fold.ts';
import { element, setText } from '../dom/element.ts';

/** The agent's plan: how far it is on one line, the steps behind it. Agents send it whole each time. */
export class PlanView {
  readonly #fold: Fold;
  #entries: readonly PlanEntry[] = [];

  constructor() {
    this.#fold = new Fold('plan', (body) => body.replaceChildren(toList(this.#entries)));
    this.#fold.node.hidden = true;
  }

  get node(): HTMLElement {
    return this.#fold.node;
  }

  update(entries: readonly PlanEntry[]): void {
    if (entries === this.#entries) return;
    this.#entries = entries;
    this.node.hidden = entries.length === 0;
    const done = entries.filter(({ status }) => status === 'completed').length;
    setText(this.#fold.summary, `Plan: ${done} of ${entries.length} done`);
    this.#fold.redraw();
  }
}

function toList(entries: readonly PlanEntry[]): HTMLElement {
  const items = entries.map(({ content, status }) => {
    const step = element('li', { text: toPrintableLine(content), attributes: { dir: 'auto' } });
    step.dataset['status'] = status;
    step.prepend(element('span', { class: 'status', text: `${status.replaceAll('_', ' ')}: ` }));
    return step;
  });
  return element('ol', {}, ...items);
}
