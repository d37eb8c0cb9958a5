import { BACKSLASH, CLOSING_BRACE, COLON, COMMA, OPENING_BRACE, QUOTE } from './char-codes.ts';

/** Where a value is in a text; `start` is -1 as long as it is not found. */
interface Place {
  start: number;
  end: number;
}

/**
 * Finds the exact JSON text of one member of an object without decoding the object. Of duplicate keys
 * the last one counts, as with JSON.parse.
 *
 * @param text one JSON object. It should have been parsed before: in text that is cut short or not
 *   valid the result may be undefined or cut short too, but the function always ends.
 * @param path the member's key. More keys name a member of that member, and so on; the text is read
 *   once, however many there are.
 */
export function memberText(
  text: string,
  ...path: readonly [string, ...string[]]
): string | undefined {
  const place = memberPlace(text, path);
  return place.start < 0 ? undefined : text.slice(place.start, place.end);
}

/** Like {@link memberText}, but tells where the member is. */
export function memberPlace(text: string, path: readonly string[]): Place {
  const place: Place = { start: -1, end: -1 };
  const start = skipSpace(text, 0);
  if (text.charCodeAt(start) === OPENING_BRACE) scanObject(text, start, path, 0, place);
  return place;
}

/**
 * Looks in the object that begins at `start` for what `path` names from `depth` on.
 *
 * @returns the index behind the object, or where the text is no object any more.
 */
function scanObject(
  text: string,
  start: number,
  path: readonly string[],
  depth: number,
  place: Place,
): number {
  const key = path[depth] as string;
  let at = start + 1;
  for (;;) {
    at = skipSpace(text, at);
    if (text.charCodeAt(at) !== QUOTE) return text.charCodeAt(at) === CLOSING_BRACE ? at + 1 : at;
    const keyStart = at;
    at = stringEnd(text, at);
    const matches = isKey(text, keyStart, at, key);
    at = skipSpace(text, at);
    if (text.charCodeAt(at) !== COLON) return at;
    const valueStart = skipSpace(text, at + 1);
    if (!matches) {
      at = valueEnd(text, valueStart);
    } else if (depth === path.length - 1) {
      at = valueEnd(text, valueStart);
      if (at > valueStart) [place.start, place.end] = [valueStart, at];
    } else {
      // What an earlier member of the same key held does not count.
      place.start = -1;
      const isObject = text.charCodeAt(valueStart) === OPENING_BRACE;
      at = isObject
        ? scanObject(text, valueStart, path, depth + 1, place)
        : valueEnd(text, valueStart);
    }
    at = skipSpace(text, at);
    if (text.charCodeAt(at) !== COMMA) {
      return text.charCodeAt(at) === CLOSING_BRACE ? at + 1 : at;
    }
    at++;
  }
}

function isKey(text: string, start: number, end: number, key: string): boolean {
  if (end - start - 2 === key.length && !key.includes('\\')) return text.startsWith(key, start + 1);
  // A key may be written with escapes, which makes its text longer than the key.
  if (end - start - 2 <= key.length || !text.slice(start, end).includes('\\')) return false;
  try {
    return JSON.parse(text.slice(start, end)) === key;
  } catch {
    return false;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code <= 32; code = text.charCodeAt(++at));
  return at;
}

/** The index behind the closing quote of the string that begins at `start`; the end of the text if there is none. */
export function stringEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}

/** The index behind the value that begins at `start`. */
function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first !== '{' && first !== '[') return scalarEnd(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (code === OPENING_BRACE || code === 91) depth++;
    else if ((code === CLOSING_BRACE || code === 93) && --depth === 0) return at + 1;
  }
  return text.length;
}

function scalarEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === COMMA || code === CLOSING_BRACE || code === 93) return at;
  }
  return text.length;
}
