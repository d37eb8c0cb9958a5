import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import {
  isRefusal,
  type GuardedPath,
  type Refusal,
  type Workspace,
} from '../workspace/workspace.ts';
import { fileProblem, readTextFile } from '../workspace/text-file.ts';
import { walk } from '../workspace/walk.ts';
import { inputSchema, parseInput } from './input.ts';
import { literalMatcher, regexMatcher, type LineMatcher } from './line-matcher.ts';
import { failed, type PreparedCall, type Tool, type ToolOutcome } from './tool.ts';

const FIELDS = {
  text: { type: 'string', description: 'What to look for in the lines of files' },
  path: { type: 'string', description: 'A directory or file to look in', optional: true },
  regex: { type: 'boolean', description: 'The text is a regular expression', optional: true },
} as const;

const MATCHES_MAX = 200;
const LINE_LENGTH_MAX = 300;
const LOCATIONS_MAX = 50;

interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Searches the lines of text files. */
export const searchTool: Tool = {
  name: 'search',
  description: 'Finds lines of text files. Skips .git, node_modules and files that are not text.',
  kind: 'search',
  effect: 'none',
  inputSchema: inputSchema(FIELDS),
  async prepare(input: unknown, workspace: Workspace): Promise<PreparedCall | Refusal> {
    const parsed = parseInput(FIELDS, input);
    if (isRefusal(parsed)) return parsed;
    if (parsed.text === '') return { refused: 'the text to search for is empty' };
    const matcher = parsed.regex === true ? regexMatcher(parsed.text) : literalMatcher(parsed.text);
    if (isRefusal(matcher)) return matcher;
    const path = await workspace.guard(parsed.path ?? '.');
    if (isRefusal(path)) return path;
    return {
      title: `Search ${workspace.shown(parsed.path ?? '.')} for ${JSON.stringify(parsed.text)}`,
      locations: [{ path }],
      preview: [],
      run: (signal) => search(path, matcher, signal),
    };
  },
};

async function search(
  path: GuardedPath,
  matcher: LineMatcher,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const matches: Match[] = [];
  let isTruncated = false;
  try {
    for await (const file of filesIn(path, signal)) {
      const found = await matchFile(file, matcher);
      if (found === undefined) return failed('the regular expression takes too long');
      matches.push(...found.slice(0, MATCHES_MAX - matches.length));
      isTruncated = matches.length >= MATCHES_MAX;
      if (isTruncated) break;
    }
  } catch (error) {
    return failed(`the search failed: ${fileProblem(error)}`);
  }
  const shown = matches.map((match) => {
    return `${relative(path, match.path) || match.path}:${match.line}: ${match.text}`;
  });
  const text = shown.length === 0 ? 'No match' : shown.join('\n');
  return {
    isError: false,
    text: isTruncated ? `${text}\n[more left out]` : text,
    output: { matches, isTruncated },
    locations: matches
      .slice(0, LOCATIONS_MAX)
      .map((match) => ({ path: match.path, line: match.line })),
  };
}

async function* filesIn(path: GuardedPath, signal: AbortSignal): AsyncGenerator<GuardedPath, void> {
  if (!(await stat(path)).isDirectory()) {
    yield path;
    return;
  }
  for await (const entry of walk(path, signal)) {
    // The walk follows no links, so what it finds is as much inside as where it began.
    if (entry.kind === 'file') yield entry.path as GuardedPath;
  }
}

async function matchFile(path: GuardedPath, matcher: LineMatcher): Promise<Match[] | undefined> {
  const file = await readTextFile(path, path);
  if (isRefusal(file)) return [];
  const lines = file.text.split(/\r?\n/);
  return matcher(lines)?.map((index) => {
    const text = (lines[index] ?? '').trim().slice(0, LINE_LENGTH_MAX);
    return { path, line: index + 1, text };
  });
}
