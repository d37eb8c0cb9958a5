import { lstat, rmdir, unlink } from 'node:fs/promises';
import type { Diff, ToolCallContent } from '@signalbox/acp';
import { isRefusal, type Refusal, type Workspace } from '../workspace/workspace.ts';
import { fileProblem, readTextFile } from '../workspace/text-file.ts';
import { inputSchema, parseInput } from './input.ts';
import { failed, textContent, type PreparedCall, type Tool, type ToolOutcome } from './tool.ts';

const FIELDS = {
  path: { type: 'string', description: 'The file or empty directory' },
} as const;

/** Deletes a file, a link or an empty directory. */
export const deleteTool: Tool = {
  name: 'delete',
  description: 'Deletes a file, a symbolic link (not what it leads to) or an empty directory.',
  kind: 'delete',
  effect: 'change',
  inputSchema: inputSchema(FIELDS),
  async prepare(input: unknown, workspace: Workspace): Promise<PreparedCall | Refusal> {
    const parsed = parseInput(FIELDS, input);
    if (isRefusal(parsed)) return parsed;
    const path = await workspace.guardEntry(parsed.path);
    if (isRefusal(path)) return path;
    const shown = workspace.shown(parsed.path);
    if (workspace.isRoot(path)) return { refused: `${shown} is the workspace itself` };
    const entry = await lstat(path).catch((error: unknown) => fileProblem(error));
    if (typeof entry === 'string') return { refused: `${shown} cannot be deleted: ${entry}` };
    // Only text can be shown as a diff; other files may be deleted all the same.
    const file = entry.isFile() ? await readTextFile(path, shown) : undefined;
    const content: ToolCallContent =
      file === undefined || isRefusal(file)
        ? textContent(`Delete ${shown}`)
        : { type: 'diff', ...deletion(path, file.text) };
    return {
      title: `Delete ${shown}`,
      locations: [{ path }],
      preview: [content],
      run: async (): Promise<ToolOutcome> => {
        try {
          await (entry.isDirectory() ? rmdir(path) : unlink(path));
        } catch (error) {
          return failed(`${shown} cannot be deleted: ${fileProblem(error)}`);
        }
        return { isError: false, text: `Deleted ${shown}`, output: { path }, content: [content] };
      },
    };
  },
};

function deletion(path: string, oldText: string): Diff {
  return { path, oldText, newText: '' };
}
