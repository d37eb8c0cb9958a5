import { sliceUtf8, utf8Length } from '../text/utf8.ts';

/** A part of what an agent is told, with a heading. */
export interface TextSection {
  readonly heading: string;
  /** Its items, the oldest first; each may be cut anywhere. */
  readonly items: readonly string[];
  /** How many more there were in the session. */
  readonly omitted: number;
}

/** UTF-8 bytes that a section takes beside its items: its heading, a note and empty lines; no more. */
export const SECTION_BYTES_MAX = 256;

const CUT_NOTE = '\n(the rest of this is left out)';

/**
 * A section's text, with as many of its last items as there is room for; empty when it has none. The very
 * last one is cut where it is too long, so that there is something.
 *
 * @param room UTF-8 bytes of the items.
 */
export function sectionText(
  { heading, items, omitted }: TextSection,
  { separator, room }: { readonly separator: string; readonly room: number },
): string {
  const kept = lastThatFit(items, separator, room);
  const missing = omitted + items.length - kept.length;
  if (kept.length === 0 && missing === 0) return '';
  const note = missing === 0 ? [] : [`(${missing} before this are left out)`];
  return [heading, ...note, ...kept].join(separator);
}

function lastThatFit(items: readonly string[], separator: string, room: number): string[] {
  let first = items.length;
  for (let left = room; first > 0; first--) {
    left -= utf8Length(items[first - 1] ?? '') + separator.length;
    if (left < 0) break;
  }
  const last = items.at(-1);
  const length = room - CUT_NOTE.length - separator.length;
  if (first < items.length || last === undefined || length <= 0) return items.slice(first);
  return [sliceUtf8(last, 0, length).text + CUT_NOTE];
}
