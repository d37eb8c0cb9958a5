import { copyText } from './copy-text.ts';
import { memberPlace } from './member-text.ts';
import { parseMessage } from './message.ts';

/** Longer frames are not worth comparing. */
const LENGTH_MAX = 4096;

/** Stands for what varies while a pattern is made. */
export const MARK = '\u0001varies\u0001';

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
  /** The params with {@link MARK} in place of the value. All other members are primitive values. */
  readonly params: Members;
  /** Where the value is within the params; never empty. */
  readonly path: readonly [string, ...string[]];
  /** The length of the text before the member of the params that the value is, or is a part of. */
  readonly lengthBefore: number;
  /** The length of the text behind that member. */
  readonly lengthBehind: number;
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

export function isObject(value: unknown): value is Members {
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
  const path = pathToMark(message.params);
  if (path === undefined) return undefined;
  const { start, end } = memberPlace(text, ['params', path[0]]);
  return {
    method: message.method,
    prefix: copyText(prefix),
    suffix: copyText(suffix),
    params: message.params,
    path,
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

/** The path to the mark; undefined if there is none, or anything beside it that would be shared. */
function pathToMark(members: Members): [string, ...string[]] | undefined {
  if (Array.isArray(members)) return undefined;
  let path: [string, ...string[]] | undefined;
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
