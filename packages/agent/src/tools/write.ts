import { lstat } from 'node:fs/promises';
import {
  isRefusal,
  type GuardedPath,
  type Refusal,
  type Workspace,
} from '../workspace/workspace.ts';
import {
  createTextFile,
  fileProblem,
  readTextFile,
  replaceTextFile,
  type TextFile,
} from '../workspace/text-file.ts';
import { inputSchema, parseInput } from './input.ts';
import { failed, type PreparedCall, type Tool, type ToolOutcome } from './tool.ts';

const FIELDS = {
  path: { type: 'string', description: 'The file, relative to the working directory' },
  text: { type: 'string', description: 'The whole content of the file' },
  overwrite: { type: 'boolean', description: 'Replace a file that exists', optional: true },
} as const;

/** Creates a text file, or replaces one as a whole. */
export const writeTool: Tool = {
  name: 'write',
  description: 'Creates a text file. A file that exists is only replaced with overwrite.',
  kind: 'edit',
  effect: 'change',
  inputSchema: inputSchema(FIELDS),
  async prepare(input: unknown, workspace: Workspace): Promise<PreparedCall | Refusal> {
    const parsed = parseInput(FIELDS, input);
    if (isRefusal(parsed)) return parsed;
    const path = await workspace.guard(parsed.path);
    if (isRefusal(path)) return path;
    const shown = workspace.shown(parsed.path);
    const old = (await exists(path)) ? await readTextFile(path, shown) : undefined;
    if (isRefusal(old)) return old;
    if (old !== undefined && parsed.overwrite !== true) {
      return { refused: `${shown} exists already; edit it, or use overwrite` };
    }
    const oldText = old === undefined ? null : old.text;
    const diff = { type: 'diff', path, oldText, newText: parsed.text } as const;
    return {
      title: `${old === undefined ? 'Create' : 'Replace'} ${shown}`,
      locations: [{ path }],
      preview: [diff],
      run: async (): Promise<ToolOutcome> => {
        const problem = await writeText(path, shown, old, parsed.text);
        if (problem !== undefined) return failed(problem);
        const done = old === undefined ? 'Created' : 'Replaced';
        const output = { path, created: old === undefined };
        return { isError: false, text: `${done} ${shown}`, output, content: [diff] };
      },
    };
  },
};

async function writeText(
  path: GuardedPath,
  shown: string,
  old: TextFile | undefined,
  text: string,
): Promise<string | undefined> {
  try {
    if (old === undefined) {
      await createTextFile(path, text);
      return undefined;
    }
    const current = await readTextFile(path, shown);
    if (isRefusal(current)) return current.refused;
    if (current.text !== old.text) return `${shown} has been changed meanwhile`;
    await replaceTextFile(current, text);
    return undefined;
  } catch (error) {
    return `${shown} cannot be written: ${fileProblem(error)}`;
  }
}

async function exists(path: GuardedPath): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
