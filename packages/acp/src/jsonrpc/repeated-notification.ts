import type { NotificationMessage } from './message.ts';
import type { Pattern, PatternLevel } from './pattern.ts';
import { isPlainObject } from './plain-object.ts';

/** A notification that was decoded by a pattern, which knows places in its text. */
export class RepeatedNotification implements NotificationMessage {
  readonly kind = 'notification';
  readonly method: string;
  readonly params: unknown;
  readonly text: string;
  readonly #pattern: Pattern;

  constructor(pattern: Pattern, params: unknown, text: string) {
    this.method = pattern.method;
    this.params = params;
    this.text = text;
    this.#pattern = pattern;
  }

  /** The exact text of a member of the params, if it is the one that varies or holds what varies. */
  varyingText(key: string): string | undefined {
    const { levels, lengthBefore, lengthBehind } = this.#pattern;
    return key === levels[0].key
      ? this.text.slice(lengthBefore, this.text.length - lengthBehind)
      : undefined;
  }
}

/**
 * Decodes a frame that fits a pattern. The result shares nothing with other messages.
 *
 * @param isString whether it has to be a string that varies.
 * @throws SyntaxError when the frame is like the pattern, but something else varies as well.
 */
export function readRepeated(
  pattern: Pattern,
  text: string,
  isString: boolean,
): RepeatedNotification | undefined {
  const { prefix, suffix, levels } = pattern;
  const start = prefix.length;
  const end = text.length - suffix.length;
  // Comparing parts is several times faster than startsWith and endsWith.
  if (end <= start || text.slice(0, start) !== prefix || text.slice(end) !== suffix) {
    return undefined;
  }
  if (isString) {
    // A quote that ends the string too early means that more than the string differs. Seeing it here is
    // cheaper than the exception below.
    const quote = text.indexOf('"', start + 1);
    if (quote !== end - 1 && text[quote - 1] !== '\\') return undefined;
  }
  // Space would be taken for a part of the value's exact text.
  if (text.charCodeAt(start) <= SPACE || text.charCodeAt(end - 1) <= SPACE) return undefined;
  const varying: unknown = JSON.parse(text.slice(start, end));
  if (isString && typeof varying !== 'string') return undefined;
  return new RepeatedNotification(pattern, withVarying(levels, varying), text);
}

/** The text of a notification whose params fit the pattern: the same that JSON.stringify gives. */
export function writeRepeated(pattern: Pattern, params: unknown): string | undefined {
  const varying = varyingOf(pattern.levels, 0, params);
  if (varying === undefined) return undefined;
  return pattern.prefix + JSON.stringify(varying) + pattern.suffix;
}

const SPACE = 32;

/** Copies of the levels around the value. */
function withVarying(levels: Pattern['levels'], varying: unknown): unknown {
  const [outer, middle, inner] = levels;
  if (levels.length !== 3 || middle === undefined || inner === undefined) {
    return levels.reduceRight(copyOf, varying);
  }
  // Pieces of text stand so deep. Copies of objects of one shape at one place in the code take half of the time.
  const content = { ...inner.members };
  content[inner.key] = varying;
  const update = { ...middle.members };
  update[middle.key] = content;
  const params = { ...outer.members };
  params[outer.key] = update;
  return params;
}

function copyOf(value: unknown, { members, key }: PatternLevel): unknown {
  const copy = { ...members };
  copy[key] = value;
  return copy;
}

/** The string at the place that varies, if everything else is the same and in the same order. */
function varyingOf(
  levels: readonly PatternLevel[],
  depth: number,
  value: unknown,
): string | undefined {
  if (!isPlainObject(value)) return undefined;
  const { members, keys, key: keyOfVarying } = levels[depth] as PatternLevel;
  let varying: string | undefined;
  let index = 0;
  for (const key in value) {
    if (key !== keys[index++]) return undefined;
    const member = value[key];
    if (key === keyOfVarying) {
      const isInnermost = depth === levels.length - 1;
      varying = isInnermost ? asString(member) : varyingOf(levels, depth + 1, member);
      if (varying === undefined) return undefined;
    } else if (member !== members[key]) {
      return undefined;
    }
  }
  return index === keys.length ? varying : undefined;
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
