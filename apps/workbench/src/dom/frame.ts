/** Draws at most once per frame, however often it is asked to; not at all while nobody can see the page. */
export class Frame {
  readonly #draw: () => void;
  #requested: number | undefined;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Something has changed. */
  request(): void {
    this.#requested ??= requestAnimationFrame(() => {
      this.#requested = undefined;
      this.#draw();
    });
  }

  /** Draws nothing that was asked for before. */
  cancel(): void {
    if (this.#requested !== undefined) cancelAnimationFrame(this.#requested);
    this.#requested = undefined;
  }
}
