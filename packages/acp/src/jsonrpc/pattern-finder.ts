import type { NotificationMessage } from './message.ts';
import { learnMember, learnString, type Pattern } from './pattern.ts';
import { readRepeated } from './repeated-notification.ts';

/** A pattern is looked for each time that so many notifications have fitted none. */
const LEARN_EVERY_MIN = 8;
/** The same after it was looked for in vain again and again, since looking costs more than decoding. */
const LEARN_EVERY_MAX = 64;

/** Finds one kind of pattern in one direction of a connection, and a new one when the stream changes. */
export class PatternFinder {
  readonly #varies: 'string' | 'member';
  #pattern: Pattern | undefined;
  #previous = '';
  #misses = 0;
  #learnEvery = LEARN_EVERY_MIN;

  /** @param varies what the notifications may differ in: one string, or one member of their params. */
  constructor(varies: 'string' | 'member') {
    this.#varies = varies;
  }

  /** The pattern of the stream as it is now, if one was found. */
  get pattern(): Pattern | undefined {
    return this.#pattern;
  }

  /** Decodes a frame that fits the pattern; undefined for all others. Never throws. */
  read(text: string): NotificationMessage | undefined {
    if (this.#pattern === undefined) return undefined;
    try {
      return readRepeated(this.#pattern, text, this.#varies === 'string');
    } catch {
      // More varies than the pattern says. Every such frame would cost an exception, so it is given up.
      this.#pattern = undefined;
      return undefined;
    }
  }

  /** Takes note of a notification that did not fit. */
  miss(text: string): void {
    this.#misses++;
    if (this.#misses === this.#learnEvery - 1) this.#previous = text;
    if (this.#misses < this.#learnEvery) return;
    const learn = this.#varies === 'string' ? learnString : learnMember;
    const learned = learn(this.#previous, text);
    this.#pattern = learned ?? this.#pattern;
    this.#learnEvery =
      learned === undefined ? Math.min(2 * this.#learnEvery, LEARN_EVERY_MAX) : LEARN_EVERY_MIN;
    this.#misses = 0;
    this.#previous = '';
  }
}
