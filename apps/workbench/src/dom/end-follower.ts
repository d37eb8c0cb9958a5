import { button, element } from './element.ts';

/** Keeps a scrolled list at its end for as long as its reader is there. */
export class EndFollower {
  /** Stands behind the list, within what scrolls. */
  readonly end = element('div', { class: 'end' });
  /** Brings the reader back to the end. */
  readonly jump: HTMLButtonElement;
  readonly #ends: IntersectionObserver;
  readonly #sizes: ResizeObserver;
  #isAtEnd = true;

  /** @param scroller what scrolls. */
  constructor(scroller: Element) {
    this.jump = button('To the newest', () => this.goToEnd(), 'jump');
    this.jump.hidden = true;
    this.#ends = new IntersectionObserver(
      (changes) => {
        this.#isAtEnd = changes[changes.length - 1]?.isIntersecting ?? true;
        this.jump.hidden = this.#isAtEnd;
      },
      { root: scroller, rootMargin: '0px 0px 80px 0px' },
    );
    this.#ends.observe(this.end);
    // A keyboard that comes up, or something below that is opened, must not hide what is newest.
    this.#sizes = new ResizeObserver(() => this.follow());
    this.#sizes.observe(scroller);
  }

  /** The list, or the room for it, has changed. */
  follow(): void {
    if (this.#isAtEnd) this.goToEnd();
  }

  goToEnd(): void {
    this.end.scrollIntoView({ block: 'end' });
  }

  close(): void {
    this.#ends.disconnect();
    this.#sizes.disconnect();
  }
}
