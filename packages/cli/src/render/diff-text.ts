import { toExact, toExactLine } from '@signalbox/core';
import { structuredPatch } from 'diff';
import type { Style } from './style.ts';

/** Lines of a diff that are shown; the log holds the whole. */
const LINES_SHOWN_MAX = 80;
/** Longer texts are not compared line by line, which could take long. */
const COMPARED_LENGTH_MAX = 512 * 1024;

/** Lines that may differ, all in all: the time to find a shortest way between texts grows with its square. */
const EDITS_MAX = 2000;

/** One file's change as an agent reports it. */
export interface FileChange {
  readonly path: string;
  readonly oldText?: string | null | undefined;
  readonly newText: string;
}

/** Shows a change as unified diff lines. */
export function diffText(change: FileChange, style: Style): string {
  const path = toExactLine(change.path);
  const oldText = change.oldText ?? '';
  if (oldText.length + change.newText.length > COMPARED_LENGTH_MAX) {
    return style.dim(`${path}: ${change.newText.length} characters, too many to compare here\n`);
  }
  const patch = structuredPatch('', '', oldText, change.newText, '', '', {
    context: 3,
    maxEditLength: EDITS_MAX,
  });
  if (patch === undefined) {
    return style.dim(`${path}: more than ${EDITS_MAX} lines differ, too many to show here\n`);
  }
  const lines = patch.hunks.flatMap((hunk) => [
    style.accent(
      `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@ ${path}`,
    ),
    ...hunk.lines.map((line) => toLine(line, style)),
  ]);
  const shown = lines.slice(0, LINES_SHOWN_MAX);
  const left = lines.length - shown.length;
  if (left > 0) shown.push(style.dim(`… ${left} more lines`));
  return shown.map((line) => `${line}\n`).join('');
}

function toLine(line: string, style: Style): string {
  const text = toExact(line).replace(/\n/g, '');
  if (line.startsWith('+')) return style.added(text);
  if (line.startsWith('-')) return style.removed(text);
  return style.dim(text);
}
