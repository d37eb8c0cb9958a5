/** Names are few and short; what belongs to others is made each time, so that nobody can fill the memory. */
const KEPT_MAX = 256;
const NAME_LENGTH_MAX = 64;

/** Remembers what is made of the name of a method or a member. */
export class NameMemo<T> {
  readonly #kept = new Map<string, T>();
  readonly #make: (name: string) => T;

  constructor(make: (name: string) => T) {
    this.#make = make;
  }

  /** What belongs to this name; made now, or remembered. */
  of(name: string): T {
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const made = this.#make(name);
    if (this.#kept.size < KEPT_MAX && name.length <= NAME_LENGTH_MAX) this.#kept.set(name, made);
    return made;
  }
}
