/** An agent that is known by name: how it is started and what it needs. */
export interface KnownAgent {
  readonly name: string;
  readonly title: string;
  /** The program is looked for on PATH. */
  readonly command: readonly string[];
  /** Variables of the user that it reads; a trailing `*` stands for any ending. */
  readonly passEnv: readonly string[];
  /** How to get it. */
  readonly install: string;
}

const NODE_AGENT_ENV = ['NODE_OPTIONS'] as const;

/** Agents that are known to speak the protocol on stdio. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    name: 'claude',
    title: 'Claude Code (claude-agent-acp)',
    command: ['claude-agent-acp'],
    passEnv: ['ANTHROPIC_*', 'CLAUDE_*', 'DISABLE_AUTOUPDATER', ...NODE_AGENT_ENV],
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  },
  {
    name: 'claude-code',
    title: 'Claude Code (claude-code-acp, the older adapter)',
    command: ['claude-code-acp'],
    passEnv: ['ANTHROPIC_*', 'CLAUDE_*', 'DISABLE_AUTOUPDATER', ...NODE_AGENT_ENV],
    install: 'npm install -g @zed-industries/claude-code-acp',
  },
  {
    name: 'codex',
    title: 'Codex (codex-acp)',
    command: ['codex-acp'],
    passEnv: ['OPENAI_*', 'CODEX_*', 'NO_BROWSER', 'INITIAL_AGENT_MODE'],
    install: 'npm install -g @zed-industries/codex-acp',
  },
  {
    name: 'copilot',
    title: 'GitHub Copilot CLI',
    command: ['copilot', '--acp'],
    passEnv: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
    install: 'npm install -g @github/copilot',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    command: ['gemini', '--acp'],
    passEnv: ['GEMINI_*', 'GOOGLE_*', ...NODE_AGENT_ENV],
    install: 'npm install -g @google/gemini-cli',
  },
  {
    name: 'opencode',
    title: 'opencode',
    command: ['opencode', 'acp'],
    passEnv: ['OPENCODE_*', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
    install: 'npm install -g opencode-ai',
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    command: ['qwen', '--acp'],
    passEnv: ['OPENAI_*', 'QWEN_*', 'DASHSCOPE_*', ...NODE_AGENT_ENV],
    install: 'npm install -g @qwen-code/qwen-code',
  },
];
