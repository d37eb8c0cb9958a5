import { SHELL_COMMAND, tool, type TestedAgent } from '../tested-agent.ts';

/** Gemini CLI. */
export const gemini: TestedAgent = {
  name: 'gemini',
  packages: ['@google/gemini-cli@0.61.0'],
  environment: (url) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: url,
    // Otherwise it asks the model which model to ask.
    GEMINI_MODEL: 'gemini-2.5-flash',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  files: () => ({ '.gemini/settings.json': settings('gemini-api-key') }),
  shell: () => tool('run_shell_command', { command: SHELL_COMMAND, description: 'Make a file' }),
  edit: ({ work }) =>
    tool('replace', {
      file_path: `${work}/edit.txt`,
      old_string: 'before',
      new_string: 'after',
      instruction: 'Replace the word',
    }),
  create: ({ work }) =>
    tool('write_file', { file_path: `${work}/created.txt`, content: 'created\n' }),
  notApplicable: { plan: 'it shows its list of steps as a tool call, never as a plan' },
};

/** Qwen Code. */
export const qwen: TestedAgent = {
  name: 'qwen',
  packages: ['@qwen-code/qwen-code@0.15.10'],
  environment: (url) => ({
    OPENAI_API_KEY: 'dummy',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: 'scripted-model',
  }),
  files: () => ({ '.qwen/settings.json': settings('openai') }),
  shell: () =>
    tool('run_shell_command', {
      command: SHELL_COMMAND,
      description: 'Make a file',
      is_background: false,
    }),
  edit: ({ work }) => {
    const path = { file_path: `${work}/edit.txt` };
    const edit = tool('edit', { ...path, old_string: 'before', new_string: 'after' });
    return `${tool('read_file', path)} ${edit}`;
  },
  create: ({ work }) =>
    tool('write_file', { file_path: `${work}/created.txt`, content: 'created\n' }),
  plan: () =>
    tool('todo_write', {
      todos: [
        { id: '1', content: 'First step', status: 'in_progress' },
        { id: '2', content: 'Second step', status: 'pending' },
      ],
    }),
};

/** Its newest version, which Node 22 and newer get. */
export const qwenNewest: TestedAgent = {
  ...qwen,
  name: 'qwen-0.24',
  catalogueName: 'qwen',
  packages: ['@qwen-code/qwen-code@0.24.4'],
  // Otherwise it begins in a mode that asks nobody.
  files: () => ({
    '.qwen/settings.json': settings('openai', { tools: { approvalMode: 'default' } }),
  }),
  notApplicable: { plan: 'its model finds the tool for plans by a search only' },
};

function settings(selectedType: string, more: object = {}): string {
  return JSON.stringify({
    security: { auth: { selectedType } },
    privacy: { usageStatisticsEnabled: false },
    ...more,
  });
}
