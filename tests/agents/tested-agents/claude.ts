import { SHELL_COMMAND, tool, type TestedAgent } from '../tested-agent.ts';

const environment = (url: string): Readonly<Record<string, string>> => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'dummy',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
});

const TODOS = [
  { content: 'First step', status: 'in_progress', activeForm: 'Doing the first step' },
  { content: 'Second step', status: 'pending', activeForm: 'Doing the second step' },
];

/** The adapter for Claude Code. */
export const claude: TestedAgent = {
  name: 'claude',
  packages: ['@agentclientprotocol/claude-agent-acp@0.49.0'],
  environment,
  shell: () => tool('Bash', { command: SHELL_COMMAND, description: 'Make a file' }),
  edit: ({ work }) => {
    const path = { file_path: `${work}/edit.txt` };
    const edit = tool('Edit', { ...path, old_string: 'before', new_string: 'after' });
    return `${tool('Read', path)} ${edit}`;
  },
  create: ({ work }) => tool('Write', { file_path: `${work}/created.txt`, content: 'created\n' }),
  plan: () =>
    tool('TaskCreate', {
      subject: 'First step',
      description: 'Do the first step',
      activeForm: 'Doing the first step',
    }),
};

/** Its newest version, which Node 22 and newer get. */
export const claudeNewest: TestedAgent = {
  ...claude,
  name: 'claude-0.101',
  catalogueName: 'claude',
  packages: ['@agentclientprotocol/claude-agent-acp@0.101.0'],
  // Otherwise it begins in a mode that asks nobody.
  files: () => ({
    '.claude/settings.json': JSON.stringify({ permissions: { defaultMode: 'default' } }),
  }),
  notApplicable: { plan: 'its model finds the tool for plans by a search only' },
};

/** The adapter under its old name. */
export const zedClaude: TestedAgent = {
  ...claude,
  name: 'zed-claude',
  packages: ['@zed-industries/claude-agent-acp@0.23.1'],
  plan: () => tool('TodoWrite', { todos: TODOS }),
};

/** The older adapter, which works through the client's files and terminals. */
export const claudeCode: TestedAgent = {
  name: 'claude-code',
  packages: ['@zed-industries/claude-code-acp@0.16.2'],
  environment,
  shell: () => tool('mcp__acp__Bash', { command: SHELL_COMMAND, timeout: 30_000 }),
  edit: ({ work }) => {
    const path = { file_path: `${work}/edit.txt` };
    const edit = tool('mcp__acp__Edit', { ...path, old_string: 'before', new_string: 'after' });
    return `${tool('mcp__acp__Read', path)} ${edit}`;
  },
  create: ({ work }) =>
    tool('mcp__acp__Write', { file_path: `${work}/created.txt`, content: 'created\n' }),
  plan: () => tool('TodoWrite', { todos: TODOS }),
};
