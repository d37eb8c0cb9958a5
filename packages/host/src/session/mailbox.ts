/** Inputs that may wait before the agent is not read on, and their size in all. */
const WAITING_MAX = 4096;
const WEIGHT_MAX = 16 * 1024 * 1024;

/**
 * The one place where inputs wait for their session. Bounded for whoever can be slowed down: agents are
 * not read on while it is full. What people send is few and always taken.
 */
export class Mailbox<Input> {
  readonly #weigh: (input: Input) => number;
  #waiting: Input[] = [];
  #weight = 0;
  #wakeTaker: (() => void) | undefined;
  #room: Promise<void> | undefined;
  #openRoom: (() => void) | undefined;
  #isClosed = false;

  /** @param weigh the size of an input, in characters. */
  constructor(weigh: (input: Input) => number) {
    this.#weigh = weigh;
  }

  /** Puts an input in; after {@link close} it is dropped. @returns whether it was taken. */
  post(input: Input): boolean {
    if (this.#isClosed) return false;
    this.#waiting.push(input);
    this.#weight += this.#weigh(input);
    this.#wakeTaker?.();
    return true;
  }

  /** Resolves when there is room; undefined if there is room now. */
  whenRoom(): Promise<void> | undefined {
    const isFull = this.#waiting.length >= WAITING_MAX || this.#weight >= WEIGHT_MAX;
    if (!isFull || this.#isClosed) return undefined;
    this.#room ??= new Promise((resolve) => (this.#openRoom = resolve));
    return this.#room;
  }

  /** Takes everything that waits, in order; waits for the first. Undefined when closed. */
  async takeAll(): Promise<Input[] | undefined> {
    while (this.#waiting.length === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => (this.#wakeTaker = resolve));
      this.#wakeTaker = undefined;
    }
    if (this.#isClosed) return undefined;
    const inputs = this.#waiting;
    this.#empty();
    return inputs;
  }

  close(): void {
    this.#isClosed = true;
    this.#empty();
    this.#wakeTaker?.();
  }

  #empty(): void {
    this.#waiting = [];
    this.#weight = 0;
    this.#room = undefined;
    this.#openRoom?.();
    this.#openRoom = undefined;
  }
}
