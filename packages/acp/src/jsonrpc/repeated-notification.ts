import { copyText } from './copy-text.ts';
import { parseMessage, type NotificationMessage } from './message.ts';

/** Longer frames are not worth comparing. */
const LENGTH_MAX = 4096;

/** Stands for the string that varies while a pattern is made. */
const MARK = '\u0001varies\u0001';

type Members = Record<string, unknown>;

/**
 * What successive notifications have in common when they differ in one string only, as the pieces of a
 * streamed text do. Any frame of `prefix`, one JSON string and `suffix` is such a notification: all
 * around the string is known to be well-formed.
 */
export interface Pattern {
  readonly method: string;
  /** The text before the string that varies. */
  readonly prefix: string;
  /** The text behind it. */
  readonly suffix: string;
  /** The params with {@link MARK} in place of the string. All other members are primitive values. */
  readonly params: Members;
  /** Where the string is within the params. */
  readonly path: readonly string[];
}

/** The pattern of two successive notifications, if there is one. */
export function learnPattern(first: string, second: string): Pattern | undefined {
  if (Math.max(first.length, second.length) > LENGTH_MAX) return undefined;
  const opening = second.lastIndexOf('"', sameAtStart(first, second) - 1);
  const closing = second.indexOf('"', second.length - sameAtEnd(first, second));
  // Most pairs that differ in more than one string end here, before anything has to be decoded.
  if (opening < 0 || second.indexOf('"', opening + 1) !== closing) return undefined;
  const prefix = second.slice(0, opening);
  const suffix = second.slice(closing + 1);
  // Decoding tells whether what varies is one whole string, and where: borders that were found within
  // an escape or a key do not decode, or not to the mark.
  const message = parseMessage(prefix + JSON.stringify(MARK) + suffix);
  if (message.kind !== 'notification' || !isObject(message.params)) return undefined;
  const path = pathToMark(message.params);
  if (path === undefined) return undefined;
  return {
    method: message.method,
    prefix: copyText(prefix),
    suffix: copyText(suffix),
    params: message.params,
    path,
  };
}

/** Decodes a frame that fits the pattern. The result shares nothing with other messages. */
export function readRepeated(pattern: Pattern, text: string): NotificationMessage | undefined {
  const { method, prefix, suffix, params, path } = pattern;
  const start = prefix.length;
  const end = text.length - suffix.length;
  if (end < start || text.slice(0, start) !== prefix || !text.endsWith(suffix)) return undefined;
  // A quote that ends the string too early means that more than the string differs. Seeing it here is
  // cheaper than the exception below.
  const quote = text.indexOf('"', start + 1);
  if (quote !== end - 1 && text[quote - 1] !== '\\') return undefined;
  let varying: unknown;
  try {
    varying = JSON.parse(text.slice(start, end));
  } catch {
    return undefined;
  }
  if (typeof varying !== 'string') return undefined;
  return { kind: 'notification', method, params: withVarying(params, path, 0, varying), text };
}

/** The text of a notification whose params fit the pattern: the same that JSON.stringify gives. */
export function writeRepeated(pattern: Pattern, params: unknown): string | undefined {
  const varying = varyingOf(pattern.params, params);
  if (varying === undefined) return undefined;
  return pattern.prefix + JSON.stringify(varying) + pattern.suffix;
}

function sameAtStart(first: string, second: string): number {
  let length = 0;
  while (length < first.length && first.charCodeAt(length) === second.charCodeAt(length)) length++;
  return length;
}

function sameAtEnd(first: string, second: string): number {
  let length = 0;
  let [one, other] = [first.length - 1, second.length - 1];
  for (; one >= 0 && first.charCodeAt(one) === second.charCodeAt(other); one--, other--) length++;
  return length;
}

/** The path to the mark; undefined if there is none, or anything beside it that would be shared. */
function pathToMark(members: Members): string[] | undefined {
  if (Array.isArray(members)) return undefined;
  let path: string[] | undefined;
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (key === '__proto__') return undefined;
    if (member === MARK) {
      path = [key];
    } else if (isObject(member)) {
      const inner = pathToMark(member);
      if (inner === undefined) return undefined;
      path = [key, ...inner];
    }
  }
  return path;
}

function withVarying(
  members: Members,
  path: readonly string[],
  depth: number,
  varying: unknown,
): Members {
  const key = path[depth] as string;
  const copy = { ...members };
  const isLast = depth === path.length - 1;
  copy[key] = isLast ? varying : withVarying(members[key] as Members, path, depth + 1, varying);
  return copy;
}

/** The string at the place of the mark, if everything else is the same and in the same order. */
function varyingOf(expected: Members, value: unknown): string | undefined {
  if (!isObject(value) || !isPlain(value)) return undefined;
  let varying: string | undefined;
  const keys = Object.keys(expected);
  let index = 0;
  for (const key in value) {
    if (key !== keys[index++]) return undefined;
    const member = value[key];
    const known = expected[key];
    if (known === MARK || isObject(known)) {
      varying = known === MARK ? asString(member) : varyingOf(known, member);
      if (varying === undefined) return undefined;
    } else if (member !== known) {
      return undefined;
    }
  }
  return index === keys.length ? varying : undefined;
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether JSON.stringify writes the enumerable members of this object, and nothing else. */
function isPlain(value: Members): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && value['toJSON'] === undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}
