import { RawJson } from '@signalbox/acp';
import { itemTexts } from '@signalbox/core';

/** The items of a JSON list, each with its exact text. Something else than a list has none. */
export function rawItems({ text, value }: RawJson): RawJson[] {
  if (!Array.isArray(value)) return [];
  return itemTexts(text).map((item, index) => new RawJson(item, value[index]));
}

/** Composes a list of exact texts. */
export function rawList(items: readonly RawJson[]): RawJson {
  return new RawJson(`[${items.map(({ text }) => text).join(',')}]`);
}
