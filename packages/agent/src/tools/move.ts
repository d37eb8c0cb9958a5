import { lstat, mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  isRefusal,
  type GuardedPath,
  type Refusal,
  type Workspace,
} from '../workspace/workspace.ts';
import { fileProblem } from '../workspace/text-file.ts';
import { inputSchema, parseInput } from './input.ts';
import { failed, textContent, type PreparedCall, type Tool, type ToolOutcome } from './tool.ts';

const FIELDS = {
  from: { type: 'string', description: 'The file or directory to move' },
  to: { type: 'string', description: 'Its new path, which must not exist' },
} as const;

/** Moves or renames a file or directory. */
export const moveTool: Tool = {
  name: 'move',
  description: 'Moves or renames a file or directory; nothing that exists is replaced.',
  kind: 'move',
  effect: 'change',
  inputSchema: inputSchema(FIELDS),
  async prepare(input: unknown, workspace: Workspace): Promise<PreparedCall | Refusal> {
    const parsed = parseInput(FIELDS, input);
    if (isRefusal(parsed)) return parsed;
    const from = await workspace.guardEntry(parsed.from);
    if (isRefusal(from)) return from;
    const to = await workspace.guardEntry(parsed.to);
    if (isRefusal(to)) return to;
    const [shownFrom, shownTo] = [workspace.shown(parsed.from), workspace.shown(parsed.to)];
    if (workspace.isRoot(from)) return { refused: `${shownFrom} is the workspace itself` };
    if (!(await exists(from))) return { refused: `${shownFrom} does not exist` };
    if (await exists(to)) return { refused: `${shownTo} exists already` };
    const title = `Move ${shownFrom} to ${shownTo}`;
    return {
      title,
      locations: [{ path: from }, { path: to }],
      preview: [textContent(title)],
      run: async (): Promise<ToolOutcome> => {
        try {
          await mkdir(dirname(to), { recursive: true });
          // Renaming replaces silently, so look once more at the last moment.
          if (await exists(to)) return failed(`${shownTo} exists already`);
          await rename(from, to);
        } catch (error) {
          return failed(`${shownFrom} cannot be moved: ${fileProblem(error)}`);
        }
        const text = `Moved ${shownFrom} to ${shownTo}`;
        return { isError: false, text, output: { from, to } };
      },
    };
  },
};

async function exists(path: GuardedPath): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
