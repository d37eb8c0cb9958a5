import { isRefusal, type Refusal, type Workspace } from '../workspace/workspace.ts';
import { fileProblem, readTextFile, replaceTextFile } from '../workspace/text-file.ts';
import { inputSchema, parseInput } from './input.ts';
import { replaceOnce } from './replace-once.ts';
import { failed, type PreparedCall, type Tool, type ToolOutcome } from './tool.ts';

const FIELDS = {
  path: { type: 'string', description: 'The file, relative to the working directory' },
  oldText: { type: 'string', description: 'The text to replace; must occur exactly once' },
  newText: { type: 'string', description: 'What to put in its place' },
  replaceAll: { type: 'boolean', description: 'Replace every occurrence', optional: true },
} as const;

/** Replaces a piece of a text file. */
export const editTool: Tool = {
  name: 'edit',
  description: 'Replaces a piece of a text file, which must occur exactly once in it.',
  kind: 'edit',
  effect: 'change',
  inputSchema: inputSchema(FIELDS),
  async prepare(input: unknown, workspace: Workspace): Promise<PreparedCall | Refusal> {
    const parsed = parseInput(FIELDS, input);
    if (isRefusal(parsed)) return parsed;
    const path = await workspace.guard(parsed.path);
    if (isRefusal(path)) return path;
    const shown = workspace.shown(parsed.path);
    const file = await readTextFile(path, shown);
    if (isRefusal(file)) return file;
    const replaced = replaceOnce(file.text, { ...parsed, replaceAll: parsed.replaceAll === true });
    if (isRefusal(replaced)) return { refused: `${shown}: ${replaced.refused}` };
    const { text, line, count } = replaced;
    const diff = { type: 'diff', path, oldText: file.text, newText: text } as const;
    return {
      title: `Edit ${shown}`,
      locations: [{ path, line }],
      preview: [diff],
      run: async (): Promise<ToolOutcome> => {
        // What is written must be what was shown, so the file may not have changed since.
        const current = await readTextFile(path, shown);
        if (isRefusal(current)) return failed(current.refused);
        if (current.text !== file.text) return failed(`${shown} has been changed meanwhile`);
        try {
          await replaceTextFile(current, text);
        } catch (error) {
          return failed(`${shown} cannot be written: ${fileProblem(error)}`);
        }
        const times = count === 1 ? 'once' : `${count} times`;
        const output = { path, line, count };
        return { isError: false, text: `Replaced ${times} in ${shown}`, output, content: [diff] };
      },
    };
  },
};
