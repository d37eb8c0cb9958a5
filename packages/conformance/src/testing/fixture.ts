import { fileURLToPath } from 'node:url';
import type { AgentCheckOptions, CheckAgentOptions } from '../probes/agent/options.ts';
import type { CheckClientOptions } from '../probes/client/options.ts';
import type { RemoteKind } from '../transport-kind.ts';

/** The path of a program among the fixtures of this package. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
}

/** Prompts that the fixture agent understands. */
export const FIXTURE_PROMPTS: NonNullable<CheckAgentOptions['prompts']> = {
  text: 'text',
  long: 'long',
  tool: 'tool',
  permission: 'permission',
  plan: 'plan',
  remember: 'remember heliotrope',
  recall: 'recall',
  outside: 'outside {path}',
  failing: 'failing',
  command: '/kit',
  elicitation: 'elicit',
};

/** How the fixture agent with this fault is checked. The store keeps its sessions over restarts. */
export function fixtureAgent(
  fault: string,
  store: string,
): AgentCheckOptions & { readonly command: readonly string[] } {
  return {
    command: [process.execPath, fixture('agent/main.mjs'), fault],
    env: { FIXTURE_STORE: store },
    prompts: FIXTURE_PROMPTS,
    timeouts: { startMs: 8000, answerMs: 2000, turnMs: 6000, exitMs: 2000, promptMs: 1500 },
  };
}

/** How an agent behind an endpoint is checked that behaves like the fixture agent. */
export function remoteAgent(
  url: string,
  transport: RemoteKind,
  headers: Readonly<Record<string, string>> = {},
): CheckAgentOptions {
  const { prompts, timeouts } = fixtureAgent('none', '');
  return {
    endpoint: { url, transport, headers },
    prompts: prompts ?? {},
    // A server stands between, and more than one of them on a busy machine.
    timeouts: { ...timeouts, answerMs: 4000, idleMs: 2000 },
  };
}

/** How the fixture client with this fault is checked over a network. */
export function remoteClient(fault: string, transport: RemoteKind): CheckClientOptions {
  return {
    ...fixtureClient(fault),
    transport,
    command: [process.execPath, fixture('client/main.mjs'), fault, '{prompt}', '{url}'],
  };
}

/** How the fixture client with this fault is checked. */
export function fixtureClient(fault: string): CheckClientOptions {
  return {
    command: [process.execPath, fixture('client/main.mjs'), fault, '{prompt}', '{agent...}'],
    timeouts: { scenarioMs: 6000, answerMs: 2500, endMs: 1500 },
  };
}
