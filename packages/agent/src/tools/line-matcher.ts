import { createContext, Script } from 'node:vm';
import type { Refusal } from '../workspace/workspace.ts';

/** How long a regular expression may work on one file. Some never end by themselves. */
const FILE_TIME_MAX_MS = 500;

/** Finds the lines of a text that match: their indexes from 0. Undefined if it took too long. */
export type LineMatcher = (lines: readonly string[]) => readonly number[] | undefined;

/** A matcher for a literal text. */
export function literalMatcher(text: string): LineMatcher {
  return (lines) => lines.flatMap((line, index) => (line.includes(text) ? [index] : []));
}

/** A matcher for a regular expression, which is stopped when it takes too long. */
export function regexMatcher(source: string): LineMatcher | Refusal {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, 'u');
  } catch (error) {
    return { refused: (error as Error).message };
  }
  const script = new Script('lines.flatMap((line, index) => (pattern.test(line) ? [index] : []))');
  return (lines) => {
    try {
      const context = createContext({ lines, pattern });
      return [...(script.runInContext(context, { timeout: FILE_TIME_MAX_MS }) as number[])];
    } catch {
      return undefined;
    }
  };
}
