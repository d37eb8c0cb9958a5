import { toPrintable } from '@signalbox/core';
import { element, setText } from '../dom/element.ts';

/** Characters of one text that are in the page: its end. The log has the whole (B179). */
export const TEXT_SHOWN_MAX = 64 * 1024;
/** By so much at a time the beginning moves on, so that a growing text is seldom written anew. */
const STEP = 16 * 1024;

/** A text that mostly grows at its end. Only what is new is written, so a selection in it stays. */
export class GrowingText {
  readonly node: HTMLElement;
  readonly #text = document.createTextNode('');
  readonly #note: HTMLElement;

  /** @param tag `pre` for what has columns, `div` for prose. */
  constructor(tag: 'div' | 'pre') {
    this.#note = element('div', { class: 'left-out' });
    this.#note.hidden = true;
    const text = element(tag, { class: 'text', attributes: { dir: 'auto' } }, this.#text);
    this.node = element('div', {}, this.#note, text);
  }

  set(text: string): void {
    const start = Math.ceil(Math.max(text.length - TEXT_SHOWN_MAX, 0) / STEP) * STEP;
    const shown = toPrintable(text.slice(start));
    const { data } = this.#text;
    if (shown.startsWith(data)) {
      if (shown.length > data.length) this.#text.appendData(shown.slice(data.length));
    } else this.#text.data = shown;
    this.#note.hidden = start === 0;
    setText(this.#note, `${start.toLocaleString('en')} characters before this are not shown.`);
  }
}
