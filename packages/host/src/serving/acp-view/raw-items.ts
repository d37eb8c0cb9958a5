import { RawJson } from '@signalbox/acp';

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

/** The items of a JSON list, each with its exact text. Something else than a list has none. */
export function rawItems(list: RawJson): RawJson[] {
  const { text, value } = list;
  if (!Array.isArray(value) || value.length === 0) return [];
  const items: RawJson[] = [];
  const add = (from: number, to: number): void => {
    items.push(new RawJson(text.slice(from, to).trim(), value[items.length]));
  };
  const end = text.lastIndexOf(']');
  let start = text.indexOf('[') + 1;
  let depth = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === 123 || code === 91) depth++;
    else if (code === 125 || code === 93) depth--;
    else if (code === COMMA && depth === 0) {
      add(start, at);
      start = at + 1;
    }
  }
  add(start, end);
  return items;
}

/** Composes a list of exact texts. */
export function rawList(items: readonly RawJson[]): RawJson {
  return new RawJson(`[${items.map(({ text }) => text).join(',')}]`);
}

/** The index of the closing quote of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}
