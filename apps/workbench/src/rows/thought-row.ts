import type { ThoughtEntry, TranscriptEntry } from '@signalbox/core';
import { BlocksView } from '../content/blocks-view.ts';
import { CutNote } from '../content/cut-note.ts';
import { Fold } from '../content/fold.ts';
import { setText } from '../dom/element.ts';
import type { Row } from './row.ts';

/** What the agent thought; folded away until somebody wants to read it. */
export class ThoughtRow implements Row {
  readonly #fold: Fold;
  readonly #cut = new CutNote();
  readonly #blocks = new BlocksView();
  #entry: ThoughtEntry | undefined;

  constructor() {
    this.#fold = new Fold('thought', (body) => {
      if (this.#entry !== undefined) {
        this.#cut.set([this.#entry.cut?.blocks]);
        this.#blocks.set(this.#entry.blocks);
      }
      if (!body.hasChildNodes()) body.append(this.#cut.node, this.#blocks.node);
    });
    setText(this.#fold.summary, 'Thought');
  }

  get node(): HTMLElement {
    return this.#fold.node;
  }

  update(entry: TranscriptEntry): void {
    if (entry.kind !== 'thought') return;
    this.#entry = entry;
    this.#fold.redraw();
  }
}
