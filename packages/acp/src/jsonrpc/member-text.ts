const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;

/**
 * Finds the exact JSON text of one member of an object without decoding the object. Of duplicate keys
 * the last one counts, as with JSON.parse.
 *
 * @param text one JSON object. It should have been parsed before: in text that is cut short or not
 *   valid the result may be undefined or cut short too, but the function always ends.
 */
export function memberText(text: string, key: string): string | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return undefined;
  let found: string | undefined;
  at++;
  for (;;) {
    at = skipSpace(text, at);
    if (text.charCodeAt(at) !== QUOTE) return found;
    const keyStart = at;
    at = stringEnd(text, at);
    const matches = isKey(text, keyStart, at, key);
    at = skipSpace(text, at);
    if (text.charCodeAt(at) !== COLON) return found;
    const valueStart = skipSpace(text, at + 1);
    at = valueEnd(text, valueStart);
    if (matches && at > valueStart) found = text.slice(valueStart, at);
    at = skipSpace(text, at);
    if (text.charCodeAt(at) !== COMMA) return found;
    at++;
  }
}

function isKey(text: string, start: number, end: number, key: string): boolean {
  if (end - start - 2 === key.length) return text.startsWith(key, start + 1);
  // A key may be written with escapes, which makes its text longer than the key.
  if (end - start - 2 < key.length || !text.slice(start, end).includes('\\')) return false;
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

/** The index behind the closing quote of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
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
    else if (code === 123 || code === 91) depth++;
    else if ((code === 125 || code === 93) && --depth === 0) return at + 1;
  }
  return text.length;
}

function scalarEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === COMMA || code === 125 || code === 93) return at;
  }
  return text.length;
}
