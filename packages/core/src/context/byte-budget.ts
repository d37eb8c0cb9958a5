import { utf8Length } from '../text/utf8.ts';

/** Some items of a list, and how many it had beside them. */
export interface Taken<T> {
  readonly items: readonly T[];
  readonly omitted: number;
}

/** Shares out bytes among lists that go into one JSON text. */
export class ByteBudget {
  #left: number;

  /** @param bytes what there is to share out; nothing is when it is negative. */
  constructor(bytes: number) {
    this.#left = bytes;
  }

  /**
   * Takes the last items of a list: as many as there is room for, without a gap, at most `countMax`.
   *
   * @param convert undefined for an item that cannot go along at all; it counts as left out.
   */
  takeLast<In, Out>(
    list: readonly In[],
    convert: (item: In) => Out | undefined,
    countMax: number,
  ): Taken<Out> {
    const items: Out[] = [];
    for (let at = list.length - 1; at >= 0 && items.length < countMax; at--) {
      const item = convert(list[at] as In);
      if (item === undefined) continue;
      // A comma stands between two items.
      const bytes = utf8Length(JSON.stringify(item)) + 1;
      if (bytes > this.#left) break;
      this.#left -= bytes;
      items.push(item);
    }
    return { items: items.reverse(), omitted: list.length - items.length };
  }
}
