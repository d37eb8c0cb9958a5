import type { TestedAgent } from './tested-agent.ts';
import { claude, claudeCode, claudeNewest, zedClaude } from './tested-agents/claude.ts';
import { codex, zedCodex } from './tested-agents/codex.ts';
import { gemini, qwen, qwenNewest } from './tested-agents/gemini.ts';
import { cline, copilot, kilo, opencode, pi, sdkExample } from './tested-agents/others.ts';

/** Every agent that the scenarios are run with, by name. */
export const TESTED_AGENTS: readonly TestedAgent[] = [
  claude,
  claudeNewest,
  claudeCode,
  cline,
  codex,
  copilot,
  gemini,
  kilo,
  opencode,
  pi,
  qwen,
  qwenNewest,
  sdkExample,
  zedClaude,
  zedCodex,
];
