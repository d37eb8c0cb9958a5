import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AgentResult, Outcome } from './outcome.ts';
import { SCENARIO_NAMES, type ScenarioName } from './scenario-names.ts';

const FOLDER = new URL('results/', import.meta.url);

/** The last result of an agent. */
export function readResult(name: string): AgentResult | undefined {
  const file = fileOf(name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as AgentResult) : undefined;
}

/** Stores a result. Scenarios that were not run this time keep what they came to before. */
export function writeResult(result: AgentResult): void {
  const before = readResult(result.name);
  const isSame = before?.packages.join() === result.packages.join();
  const outcomes: Partial<Record<ScenarioName, Outcome>> = {};
  for (const name of SCENARIO_NAMES) {
    const outcome = result.outcomes[name] ?? (isSame ? before?.outcomes[name] : undefined);
    if (outcome !== undefined) outcomes[name] = outcome;
  }
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(result.name), `${JSON.stringify({ ...result, outcomes }, null, 2)}\n`);
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`${name}.json`, FOLDER));
}
