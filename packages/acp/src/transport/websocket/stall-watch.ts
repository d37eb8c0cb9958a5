/**
 * How often progress is looked for before a stall is one. A process that was held up itself finds none
 * at one look, but not at several.
 */
const LOOKS = 4;

/** How far the writing has got: what was written so far, and what is buffered. */
export interface Progress {
  readonly writtenCount: number;
  readonly bufferedBytes: number;
}

/** Finds out that something waits to be written and nothing is. */
export class StallWatch {
  readonly #stallMs: number;
  readonly #look: () => Progress | undefined;
  readonly #onStall: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #seen: Progress | undefined;
  #idleLooks = 0;

  /**
   * @param stallMs how long nothing has to be written; it is found out within a quarter of it.
   * @param look gives the progress; undefined when nothing waits.
   */
  constructor(stallMs: number, look: () => Progress | undefined, onStall: () => void) {
    this.#stallMs = stallMs;
    this.#look = look;
    this.#onStall = onStall;
  }

  /** Something waits now. Watches until nothing does. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#idleLooks = 0;
    this.#lookLater(this.#look());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lookLater(seen: Progress | undefined): void {
    this.#seen = seen;
    this.#timer = setTimeout(this.#onTime, this.#stallMs / LOOKS);
  }

  readonly #onTime = (): void => {
    this.#timer = undefined;
    const now = this.#look();
    if (now === undefined) return;
    this.#idleLooks = isProgress(this.#seen, now) ? 0 : this.#idleLooks + 1;
    if (this.#idleLooks === LOOKS) this.#onStall();
    else this.#lookLater(now);
  };
}

function isProgress(before: Progress | undefined, now: Progress): boolean {
  if (before === undefined) return true;
  return now.writtenCount > before.writtenCount || now.bufferedBytes < before.bufferedBytes;
}
