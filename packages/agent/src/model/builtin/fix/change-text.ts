import type { Mutation } from './mutations.ts';

/** A mutation as an edit that is exact: the old text occurs once in the file, the new one as well. */
export interface ExactEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** The edit for a mutation: its line, and as many lines around as make it unique. */
export function toExactEdit(text: string, { token, replacement }: Mutation): ExactEdit {
  const changed = text.slice(0, token.start) + replacement + text.slice(token.end);
  let from = text.lastIndexOf('\n', token.start - 1) + 1;
  let to = endOfLine(text, token.end);
  for (;;) {
    const oldText = text.slice(from, to);
    const newText = text.slice(from, token.start) + replacement + text.slice(token.end, to);
    const isWhole = from === 0 && to === text.length;
    // Both ways, so that it can be taken back the same way.
    if (isWhole || (isOnce(text, oldText) && isOnce(changed, newText))) return { oldText, newText };
    from = from === 0 ? 0 : text.lastIndexOf('\n', from - 2) + 1;
    to = endOfLine(text, Math.min(to + 1, text.length));
  }
}

/** The line that a mutation changes, before and after, without its indentation. */
export function changedLine(text: string, { token, replacement }: Mutation): ExactEdit {
  const from = text.lastIndexOf('\n', token.start - 1) + 1;
  const to = endOfLine(text, token.end);
  const newText = text.slice(from, token.start) + replacement + text.slice(token.end, to);
  return { oldText: text.slice(from, to).trim(), newText: newText.trim() };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function isOnce(text: string, part: string): boolean {
  const first = text.indexOf(part);
  return first >= 0 && text.indexOf(part, first + 1) < 0;
}
