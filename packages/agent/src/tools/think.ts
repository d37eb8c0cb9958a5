import { isRefusal, type Refusal } from '../workspace/workspace.ts';
import { inputSchema, parseInput } from './input.ts';
import type { PreparedCall, Tool } from './tool.ts';

const FIELDS = {
  thought: { type: 'string', description: 'What to keep in mind' },
} as const;

/** Lets a model write something down; nothing happens. */
export const thinkTool: Tool = {
  name: 'think',
  description: 'Writes a thought down. Nothing else happens.',
  kind: 'think',
  effect: 'none',
  inputSchema: inputSchema(FIELDS),
  prepare(input: unknown): Promise<PreparedCall | Refusal> {
    const parsed = parseInput(FIELDS, input);
    if (isRefusal(parsed)) return Promise.resolve(parsed);
    const { thought } = parsed;
    return Promise.resolve({
      title: 'Think',
      locations: [],
      preview: [],
      run: () => Promise.resolve({ isError: false, text: thought, output: { thought } }),
    });
  },
};
