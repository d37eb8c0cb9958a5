import { parseArgs } from 'node:util';
import { findKnown } from './find-tested-agent.ts';
import { SCENARIO_NAMES, type ScenarioName } from './scenario-names.ts';
import type { TestedAgent } from './tested-agent.ts';
import { TESTED_AGENTS } from './tested-agents.ts';

/** What is to be run. */
export interface RunOptions {
  readonly agents: readonly TestedAgent[];
  readonly scenarios: readonly ScenarioName[];
}

/**
 * Reads `--only <agents>` and `--scenario <scenarios>`, lists with commas. An agent is named as in the
 * catalogue or by its program.
 *
 * @throws Error that says what there is.
 */
export function readOptions(args: readonly string[]): RunOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, scenario: { type: 'string' } },
  });
  const wanted = toList(values.only);
  const agents = TESTED_AGENTS.filter(
    (agent) => wanted.length === 0 || namesOf(agent).some((name) => wanted.includes(name)),
  );
  const unknown = wanted.filter((name) => !agents.some((agent) => namesOf(agent).includes(name)));
  if (unknown.length > 0) {
    const names = TESTED_AGENTS.map(({ name }) => name);
    throw new Error(`No agent ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
  }
  const named = toList(values.scenario);
  const scenarios = SCENARIO_NAMES.filter((name) => named.length === 0 || named.includes(name));
  if (scenarios.length < new Set(named).size) {
    throw new Error(`There are only these scenarios: ${SCENARIO_NAMES.join(', ')}.`);
  }
  return { agents, scenarios };
}

function namesOf(agent: TestedAgent): string[] {
  const known = findKnown(agent);
  return [agent.name, known?.name, known?.command[0]].filter((name) => name !== undefined);
}

function toList(text: string | undefined): string[] {
  return (text ?? '').split(',').filter((part) => part !== '');
}
