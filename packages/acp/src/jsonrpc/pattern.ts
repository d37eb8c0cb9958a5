import { copyText } from './copy-text.ts';
import { memberPlace } from './member-text.ts';
import { parseMessage } from './message.ts';

/** Longer frames are not worth comparing. */
const LENGTH_MAX = 4096;

/** Stands for what varies while a pattern is made. */
const MARK = '\u0001varies\u0001';

export type Members = Record<string, unknown>;

/**
 * What successive notifications have in common when they differ in one value only. Any frame of `prefix`,
 * one JSON value and `suffix` is such a notification: all around the value is known to be well-formed.
 */
export interface Pattern {
  readonly method: string;
  /** The text before the value that varies. */
  readonly prefix: string;
  /** The text behind it. */
  readonly suffix: string;
  /** The params, the object in them on the way to the value, and so on to the object that holds it. */
  readonly levels: readonly [PatternLevel, ...PatternLevel[]];
  /** The length of the text before the member of the params that the value is, or is a part of. */
  readonly lengthBefore: number;
  /** The length of the text behind that member. */
  readonly lengthBehind: number;
}

/** One of the objects that are within each other around the value that varies. */
export interface PatternLevel {
  /** All of them but that of `key` are primitive values. */
  readonly members: Members;
  /** The names of the members, in their order. */
  readonly keys: readonly string[];
  /** The member that is the next level, or the value itself. */
  readonly key: string;
}

/** The pattern of two successive notifications that differ in one string, as the pieces of a text do. */
export function learnString(first: string, second: string): Pattern | undefined {
  if (Math.max(first.length, second.length) > LENGTH_MAX) return undefined;
  const opening = second.lastIndexOf('"', sameAtStart(first, second) - 1);
  const closing = second.indexOf('"', second.length - sameAtEnd(first, second));
  // Most pairs that differ in more than one string end here, before anything has to be decoded.
  if (opening < 0 || second.indexOf('"', opening + 1) !== closing) return undefined;
  return toPattern(second.slice(0, opening), second.slice(closing + 1));
}

/** The pattern of two successive notifications that differ in one member of their params. */
export function learnMember(first: string, second: string): Pattern | undefined {
  if (Math.max(first.length, second.length) > LENGTH_MAX) return undefined;
  const [one, other] = [parseMessage(first), parseMessage(second)];
  if (one.kind !== 'notification' || other.kind !== 'notification') return undefined;
  const key = differingKey(one.params, other.params);
  if (key === undefined) return undefined;
  const { start, end } = memberPlace(second, ['params', key]);
  if (start < 0) return undefined;
  return toPattern(second.slice(0, start), second.slice(end));
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

/**
 * The pattern with these surroundings. Decoding tells whether what varies is one whole value, and where:
 * borders that were found within an escape or a key do not decode, or not to the mark.
 */
function toPattern(prefix: string, suffix: string): Pattern | undefined {
  const text = prefix + JSON.stringify(MARK) + suffix;
  const message = parseMessage(text);
  if (message.kind !== 'notification' || !isObject(message.params)) return undefined;
  const levels = levelsToMark(message.params);
  if (levels === undefined) return undefined;
  const { start, end } = memberPlace(text, ['params', levels[0].key]);
  return {
    method: message.method,
    prefix: copyText(prefix),
    suffix: copyText(suffix),
    levels,
    lengthBefore: start,
    lengthBehind: text.length - end,
  };
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

/** The only member that is not the same primitive value in both. */
function differingKey(one: unknown, other: unknown): string | undefined {
  if (!isObject(one) || !isObject(other)) return undefined;
  const differing = Object.keys(other).filter((key) => one[key] !== other[key]);
  return differing.length === 1 ? differing[0] : undefined;
}

/** The objects around the mark; undefined if there is none, or anything beside it that would be shared. */
function levelsToMark(members: Members): [PatternLevel, ...PatternLevel[]] | undefined {
  if (Array.isArray(members)) return undefined;
  const keys = Object.keys(members);
  let levels: [PatternLevel, ...PatternLevel[]] | undefined;
  for (const key of keys) {
    const member = members[key];
    if (key === '__proto__') return undefined;
    if (member === MARK) {
      levels = [{ members, keys, key }];
    } else if (isObject(member)) {
      const inner = levelsToMark(member);
      if (inner === undefined) return undefined;
      levels = [{ members, keys, key }, ...inner];
    }
  }
  return levels;
}
