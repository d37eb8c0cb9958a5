import { isRefusal, type Refusal, type Workspace } from '../workspace/workspace.ts';
import { readTextFile } from '../workspace/text-file.ts';
import { inputSchema, parseInput } from './input.ts';
import { failed, type PreparedCall, type Tool, type ToolOutcome } from './tool.ts';

const FIELDS = {
  path: { type: 'string', description: 'The file, relative to the working directory' },
  line: { type: 'integer', description: 'The first line to read, from 1', optional: true },
  limit: { type: 'integer', description: 'How many lines to read', optional: true },
} as const;

/** The most text that one call returns, in characters. */
const TEXT_LENGTH_MAX = 256 * 1024;

/** Reads a text file, or some of its lines. */
export const readTool: Tool = {
  name: 'read',
  description: 'Reads a text file. The text is exact: line ends and indentation are kept.',
  kind: 'read',
  effect: 'none',
  inputSchema: inputSchema(FIELDS),
  async prepare(input: unknown, workspace: Workspace): Promise<PreparedCall | Refusal> {
    const parsed = parseInput(FIELDS, input);
    if (isRefusal(parsed)) return parsed;
    const path = await workspace.guard(parsed.path);
    if (isRefusal(path)) return path;
    const shown = workspace.shown(parsed.path);
    const first = Math.max(parsed.line ?? 1, 1);
    return {
      title: `Read ${shown}`,
      locations: [parsed.line === undefined ? { path } : { path, line: first }],
      preview: [],
      run: async (): Promise<ToolOutcome> => {
        const file = await readTextFile(path, shown);
        if (isRefusal(file)) return failed(file.refused);
        const lines = file.text.split(/(?<=\n)/);
        const wanted = lines.slice(first - 1, first - 1 + (parsed.limit ?? lines.length)).join('');
        const text = wanted.slice(0, TEXT_LENGTH_MAX);
        const isTruncated = text.length < wanted.length;
        const output = { path, text, firstLine: first, lineCount: lines.length, isTruncated };
        return { isError: false, text: isTruncated ? `${text}\n[cut off]` : text, output };
      },
    };
  },
};
