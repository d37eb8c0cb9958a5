import { isRefusal, type Refusal, type Workspace } from '../workspace/workspace.ts';
import { fileProblem } from '../workspace/text-file.ts';
import { readDirectory, walk, type WalkedEntry } from '../workspace/walk.ts';
import { inputSchema, parseInput } from './input.ts';
import { failed, type PreparedCall, type Tool, type ToolOutcome } from './tool.ts';

const FIELDS = {
  path: {
    type: 'string',
    description: 'The directory; the working directory if absent',
    optional: true,
  },
  recursive: { type: 'boolean', description: 'Also list what is below', optional: true },
} as const;

const ENTRIES_MAX = 2000;

/** Lists a directory. */
export const listTool: Tool = {
  name: 'list',
  description:
    'Lists a directory; directories end in a slash. Skips .git and node_modules below it.',
  kind: 'read',
  effect: 'none',
  inputSchema: inputSchema(FIELDS),
  async prepare(input: unknown, workspace: Workspace): Promise<PreparedCall | Refusal> {
    const parsed = parseInput(FIELDS, input);
    if (isRefusal(parsed)) return parsed;
    const path = await workspace.guard(parsed.path ?? '.');
    if (isRefusal(path)) return path;
    const shown = workspace.shown(parsed.path ?? '.');
    return {
      title: `List ${shown}`,
      locations: [{ path }],
      preview: [],
      run: async (signal): Promise<ToolOutcome> => {
        const entries: string[] = [];
        let isTruncated = false;
        try {
          const found = parsed.recursive === true ? walk(path, signal) : await readDirectory(path);
          for await (const entry of found) {
            isTruncated = entries.length >= ENTRIES_MAX;
            if (isTruncated) break;
            entries.push(named(entry, path));
          }
        } catch (error) {
          return failed(`${shown} cannot be listed: ${fileProblem(error)}`);
        }
        const text = entries.length === 0 ? '(empty)' : entries.join('\n');
        const output = { path, entries, isTruncated };
        return { isError: false, text: isTruncated ? `${text}\n[cut off]` : text, output };
      },
    };
  },
};

function named(entry: WalkedEntry, directory: string): string {
  const name = entry.path.slice(directory.length).replace(/^\//, '');
  return entry.kind === 'directory' ? `${name}/` : name;
}
