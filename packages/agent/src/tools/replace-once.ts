import type { Refusal } from '../workspace/workspace.ts';

/** A replacement in a text. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  /** Replace every occurrence; otherwise there must be exactly one. */
  readonly replaceAll: boolean;
}

/** A text after a replacement. */
export interface Replaced {
  readonly text: string;
  readonly count: number;
  /** The line of the first occurrence, from 1. */
  readonly line: number;
}

/**
 * Replaces a text that must occur exactly, and exactly once. Only line ends are forgiven: in a file
 * whose lines all end in CRLF, those of the replacement are made the same, so that the file stays so.
 */
export function replaceOnce(text: string, replacement: Replacement): Replaced | Refusal {
  const hasCrlf = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  const [oldText, newText] = [replacement.oldText, replacement.newText].map((part) =>
    hasCrlf ? part.replace(/\r?\n/g, '\r\n') : part,
  ) as [string, string];
  if (oldText === '') return { refused: 'the old text is empty' };
  if (oldText === newText) return { refused: 'the old and the new text are the same' };
  const pieces = text.split(oldText);
  const count = pieces.length - 1;
  if (count === 0) return { refused: 'the old text does not occur in the file' };
  if (count > 1 && !replacement.replaceAll) {
    return { refused: `the old text occurs ${count} times; give more of it, or use replaceAll` };
  }
  return { text: pieces.join(newText), count, line: pieces[0]?.split('\n').length ?? 1 };
}
