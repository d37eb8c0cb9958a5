import { fileURLToPath } from 'node:url';

/** The program of an agent in tests/fixtures/agents. */
export function agentFile(name: string): string {
  return fileURLToPath(new URL(`../fixtures/agents/${name}.mjs`, import.meta.url));
}
