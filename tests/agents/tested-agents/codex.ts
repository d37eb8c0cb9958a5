import { SHELL_COMMAND, tool, type TestedAgent } from '../tested-agent.ts';

const environment = (): Readonly<Record<string, string>> => ({
  OPENAI_API_KEY: 'dummy',
  NO_BROWSER: '1',
  INITIAL_AGENT_MODE: 'read-only',
});

/**
 * @param model one that the build knows: for others there is no tool for patches.
 * @param approval settings on when commands need leave; the two adapters do not know the same words.
 */
function files(model: string, approval: string) {
  return (url: string): Readonly<Record<string, string>> => ({
    '.codex/config.toml': `model = "${model}"
model_provider = "scripted"
${approval}
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
requires_openai_auth = false
supports_websockets = false
request_max_retries = 0
stream_max_retries = 0
`,
  });
}

function patch(...lines: string[]): string {
  const input = ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
  return tool('apply_patch', { input });
}

const PLAN = [
  { step: 'First step', status: 'in_progress' },
  { step: 'Second step', status: 'pending' },
];

const scripts = {
  edit: () => patch('*** Update File: edit.txt', '@@', '-before', '+after'),
  create: () => patch('*** Add File: created.txt', '+created'),
};

/** The adapter for Codex. */
export const codex: TestedAgent = {
  name: 'codex',
  packages: ['@agentclientprotocol/codex-acp@2.6.0'],
  environment,
  files: files('gpt-5.5', 'approval_policy = "on-request"'),
  shell: () =>
    tool('exec_command', {
      cmd: SHELL_COMMAND,
      sandbox_permissions: 'require_escalated',
      justification: 'May I make a file?',
    }),
  notApplicable: { plan: 'its model is offered no tool for plans' },
  ...scripts,
};

/** The adapter for Codex that is one native program. */
export const zedCodex: TestedAgent = {
  name: 'zed-codex',
  packages: ['@zed-industries/codex-acp@0.16.0'],
  environment,
  // Its sandbox needs rights that containers do not have; leave is asked for all the same.
  files: files('gpt-5.4', 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"'),
  shell: () => tool('exec_command', { cmd: SHELL_COMMAND }),
  plan: () => tool('update_plan', { plan: PLAN }),
  ...scripts,
};
