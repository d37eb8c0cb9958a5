import type { TranscriptEntry } from '@signalbox/core';
import { CutNote } from '../content/cut-note.ts';
import { Fold } from '../content/fold.ts';
import { GrowingText } from '../content/growing-text.ts';
import { element, setText } from '../dom/element.ts';
import { noteOf, type Note } from './note.ts';
import type { Row } from './row.ts';

/** A line about something that is neither said nor done by a tool, with more behind it if there is any. */
export class NoteRow implements Row {
  readonly node = element('div', { class: 'note' });
  readonly #text = element('p');
  readonly #cut = new CutNote();
  readonly #more: Fold;
  readonly #moreText = new GrowingText('pre');
  #note: Note | undefined;

  constructor() {
    this.#more = new Fold('more', (body) => {
      if (!body.hasChildNodes()) body.append(this.#moreText.node);
      this.#moreText.set(this.#note?.more ?? '');
    });
    setText(this.#more.summary, 'More');
    this.node.append(this.#text, this.#cut.node, this.#more.node);
  }

  update(entry: TranscriptEntry): void {
    this.#note = noteOf(entry);
    const { text, tone, more } = this.#note;
    this.node.dataset['kind'] = entry.kind;
    this.node.dataset['tone'] = tone;
    setText(this.#text, text);
    this.#cut.set(Object.values(entry.cut ?? {}));
    this.#more.node.hidden = more === undefined;
    this.#more.redraw();
  }
}
