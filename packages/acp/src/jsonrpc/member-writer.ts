import { copyText } from './copy-text.ts';

/** Longer strings are no ids that come again. */
const STRING_LENGTH_MAX = 128;
/** To remember a string costs more than to write it, so of those that always change only so many are. */
const REMEMBER_EVERY = 8;

/**
 * Writes one member of objects. Its last string is remembered, since it is mostly the same again: in front of
 * everything that is sent about a session stands the session's id.
 */
export class MemberWriter {
  /** The text before the value, as one string: a composed text is written faster the fewer parts it has. */
  readonly start: string;
  #string: string | undefined;
  #text = '';
  #misses = 0;

  /** @param before what stands before the key: a brace or a comma. */
  constructor(before: '{' | ',', key: string) {
    this.start = copyText(`${before}${JSON.stringify(key)}:`);
  }

  /** The text of the member with a string as its value. */
  withString(value: string): string {
    if (value === this.#string) return this.#text;
    const text = this.start + JSON.stringify(value);
    if (this.#misses++ % REMEMBER_EVERY === 0 && value.length <= STRING_LENGTH_MAX) {
      this.#string = copyText(value);
      this.#text = copyText(text);
    }
    return text;
  }
}
