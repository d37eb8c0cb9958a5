import { isObject, parseJson } from '../json/json.ts';
import type { WireMessage } from './wire-message.ts';

/** Lines that one message may be spread over to be recognized. */
const LINES_MAX = 200;

/**
 * The lines of one side that are no JSON object by themselves and become one together with the lines
 * around them: messages that were printed with line feeds in them.
 *
 * @param lines what one side sent.
 */
export function spreadLines(lines: readonly WireMessage[]): ReadonlySet<WireMessage> {
  // Each line is read once, since a program that writes garbage writes much of it.
  const depths = lines.map(({ entry, value }) => (isObject(value) ? 0 : depthOf(entry.text)));
  const spread = new Set<WireMessage>();
  for (let start = 0; start < lines.length; start++) {
    const end = endOf(lines, depths, start);
    if (end === undefined) continue;
    for (const line of lines.slice(start, end)) if (!isObject(line.value)) spread.add(line);
    start = end - 1;
  }
  return spread;
}

/** The place behind the message that begins on this line; undefined if none does. */
function endOf(
  lines: readonly WireMessage[],
  depths: readonly number[],
  start: number,
): number | undefined {
  const first = lines[start];
  if (first === undefined || isObject(first.value)) return undefined;
  if (!first.entry.text.trimStart().startsWith('{')) return undefined;
  let depth = 0;
  for (let place = start; place < Math.min(lines.length, start + LINES_MAX); place++) {
    depth += depths[place] ?? 0;
    if (depth > 0) continue;
    const text = lines.slice(start, place + 1).map(({ entry }) => entry.text);
    return place > start && isObject(parseJson(text.join('\n'))) ? place + 1 : undefined;
  }
  return undefined;
}

/** How many brackets a line opens beyond those that it closes. A string of JSON ends on its line. */
function depthOf(text: string): number {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInString && character === '\\') at++;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
  }
  return depth;
}
