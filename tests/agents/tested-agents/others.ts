import { SHELL_COMMAND, tool, type TestedAgent } from '../tested-agent.ts';

/** GitHub Copilot CLI, offline with a model provider of its user. */
export const copilot: TestedAgent = {
  name: 'copilot',
  packages: ['@github/copilot@1.0.102'],
  environment: (url) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'scripted-model',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  shell: () =>
    tool('bash', {
      command: SHELL_COMMAND,
      description: 'Make a file',
      initial_wait: 10,
      mode: 'sync',
    }),
  edit: ({ work }) =>
    tool('edit', { path: `${work}/edit.txt`, old_str: 'before', new_str: 'after' }),
  create: ({ work }) => tool('create', { path: `${work}/created.txt`, file_text: 'created\n' }),
  notApplicable: { plan: 'it has no tool for plans' },
};

/** opencode and its descendant, which take their settings from a variable. */
function opencodeLike(name: string, packed: `${string}@${string}`, prefix: string): TestedAgent {
  return {
    name,
    packages: [packed],
    environment: (url) => ({
      [`${prefix}_CONFIG_CONTENT`]: JSON.stringify({
        model: 'scripted/scripted-model',
        small_model: 'scripted/scripted-model-small',
        permission: { edit: 'ask', bash: 'ask' },
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
            models: {
              'scripted-model': { tool_call: true, reasoning: true },
              'scripted-model-small': {},
            },
          },
        },
      }),
      [`${prefix}_DISABLE_MODELS_FETCH`]: '1',
      [`${prefix}_DISABLE_AUTOUPDATE`]: '1',
      [`${prefix}_DISABLE_LSP_DOWNLOAD`]: '1',
    }),
    shell: () => tool('bash', { command: SHELL_COMMAND, description: 'Make a file' }),
    edit: ({ work }) => {
      const path = { filePath: `${work}/edit.txt` };
      const edit = tool('edit', { ...path, oldString: 'before', newString: 'after' });
      return `${tool('read', path)} ${edit}`;
    },
    create: ({ work }) => tool('write', { filePath: `${work}/created.txt`, content: 'created\n' }),
    notApplicable: { plan: 'it shows its list of steps as a tool call, never as a plan' },
  };
}

/** opencode. */
export const opencode = opencodeLike('opencode', 'opencode-ai@1.18.33', 'OPENCODE');

/** Kilo Code. Its launcher does not install; the package for one platform does. */
export const kilo: TestedAgent = {
  ...opencodeLike('kilo', '@kilocode/cli-linux-x64@7.7.9', 'KILO'),
  binFolder: 'node_modules/@kilocode/cli-linux-x64/bin',
};

/** Pi, which runs the tools itself and asks nobody. */
export const pi: TestedAgent = {
  name: 'pi',
  packages: ['pi-acp@0.0.34', '@earendil-works/pi-coding-agent@1.6.0'],
  environment: () => ({ PI_OFFLINE: '1' }),
  files: (url) => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        scripted: {
          baseUrl: `${url}/v1`,
          api: 'openai-completions',
          apiKey: 'dummy',
          models: [{ id: 'scripted-model', reasoning: true }],
        },
      },
    }),
    '.pi/agent/settings.json': JSON.stringify({
      defaultProvider: 'scripted',
      defaultModel: 'scripted-model',
      quietStartup: true,
    }),
  }),
  edit: ({ work }) =>
    tool('edit', { path: `${work}/edit.txt`, edits: [{ oldText: 'before', newText: 'after' }] }),
  create: ({ work }) => tool('write', { path: `${work}/created.txt`, content: 'created\n' }),
  notApplicable: {
    tool: 'it never asks for leave',
    reject: 'it never asks for leave',
    plan: 'it has no tool for plans',
  },
};

/** Cline, which leaves a daemon behind. */
export const cline: TestedAgent = {
  name: 'cline',
  packages: ['cline@3.0.65'],
  environment: () => ({
    CLINE_API_KEY: 'dummy',
    CLINE_PROVIDER: 'openai-compatible',
    CLINE_MODEL: 'scripted-model',
    CLINE_NO_AUTO_UPDATE: '1',
  }),
  setUp: (url) =>
    [
      ['cline', 'auth', '-p', 'openai-compatible', '-k', 'dummy'],
      ['-m', 'scripted-model', '-b', `${url}/v1`],
    ].flat(),
  shell: () => tool('run_commands', { commands: [SHELL_COMMAND] }),
  create: ({ work }) => clinePatch(`*** Add File: ${work}/created.txt`, '+created'),
  edit: ({ work }) => clinePatch(`*** Update File: ${work}/edit.txt`, '@@', '-before', '+after'),
  notApplicable: { plan: 'it has no tool for plans' },
};

function clinePatch(...lines: string[]): string {
  return tool('apply_patch', { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
}

const PLAYS = 'it plays one fixed turn and asks no model';

/** The example of the official library. */
export const sdkExample: TestedAgent = {
  name: 'sdk-example',
  packages: ['@agentclientprotocol/sdk@1.9.0'],
  program: 'node_modules/@agentclientprotocol/sdk/dist/examples/agent.js',
  environment: () => ({}),
  hasNoModel: true,
  shell: () => 'Anything',
  notApplicable: {
    edit: PLAYS,
    create: PLAYS,
    thoughts: PLAYS,
    plan: PLAYS,
    error: PLAYS,
  },
};
