import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from './char-codes.ts';

/** The keys and indexes that lead to a value, from the outside. */
export type JsonPath = readonly (string | number)[];

/** Told of a value: its text is from `start` to `end`. The path is only good during the call. */
export type JsonVisit = (start: number, end: number, path: JsonPath) => void;

/** An object or list that has begun and not ended. */
interface Opened {
  readonly start: number;
  readonly isObject: boolean;
}

/**
 * Tells of every value in a JSON text, each behind what is in it, without decoding anything but keys. Takes
 * time in proportion to the text, and no stack, however deep the values lie.
 *
 * @param text one valid JSON value. In any other text it tells of something, but it always ends.
 */
export function scanJson(text: string, visit: JsonVisit): void {
  const opened: Opened[] = [];
  const path: (string | number)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === COLON) {
      at++;
      continue;
    }
    switch (code) {
      case OPENING_BRACE:
      case OPENING_BRACKET: {
        const isObject = code === OPENING_BRACE;
        opened.push({ start: at, isObject });
        path.push(isObject ? '' : 0);
        isKeyNext = isObject;
        at++;
        break;
      }
      case CLOSING_BRACE:
      case CLOSING_BRACKET: {
        path.pop();
        isKeyNext = false;
        at++;
        const start = opened.pop()?.start;
        if (start !== undefined) visit(start, at, path);
        break;
      }
      case COMMA: {
        const last = path.pop();
        isKeyNext = opened[opened.length - 1]?.isObject ?? false;
        if (last !== undefined) path.push(typeof last === 'number' ? last + 1 : '');
        at++;
        break;
      }
      case QUOTE: {
        const end = stringEnd(text, at);
        if (isKeyNext) path[path.length - 1] = keyOf(text.slice(at, end));
        else visit(at, end, path);
        isKeyNext = false;
        at = end;
        break;
      }
      default: {
        const end = scalarEnd(text, at);
        visit(at, end, path);
        at = end;
      }
    }
  }
}

/** The exact texts of an object's members, by key; the last one counts where a key is there twice. */
export function membersOf(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  scanJson(text, (start, end, path) => {
    const [key] = path;
    if (path.length === 1 && typeof key === 'string') members.set(key, text.slice(start, end));
  });
  return members;
}

/** The index behind the closing quote of the string that begins at `start`. */
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

/** The index behind the number or word that begins at `start`. */
function scalarEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === COMMA || code === CLOSING_BRACE || code === CLOSING_BRACKET) break;
  }
  return at;
}

function keyOf(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}
