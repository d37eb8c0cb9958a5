import { element } from '../dom/element.ts';

/** Something that is folded away. Its inside is made when it is opened first, and drawn only while open. */
export class Fold {
  readonly node = element('details');
  readonly summary = element('summary');
  readonly #body = element('div', { class: 'body' });
  readonly #draw: (body: HTMLElement) => void;

  /** @param draw brings the inside up to date. */
  constructor(className: string, draw: (body: HTMLElement) => void) {
    this.#draw = draw;
    this.node.className = className;
    this.node.append(this.summary, this.#body);
    this.node.addEventListener('toggle', () => this.redraw());
  }

  /** What is inside has changed. */
  redraw(): void {
    if (this.node.open) this.#draw(this.#body);
  }
}
