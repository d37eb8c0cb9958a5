/**
 * Runs real agents through the built host: `node tests/agents/run.ts [--only codex,gemini]
 * [--scenario text,tool]` (`npm run test:agents` builds first). They are installed into the user's cache
 * and talk to a scripted model on loopback. Results go to tests/agents/results, and all results that
 * there are to docs/reference/agents.md. Ends with 1 when a scenario failed.
 *
 * To add an agent, add it to `tested-agents/` and to the catalogue. To add a scenario, add its name to
 * `scenario-names.ts` and what it does to `scenarios/`.
 */
import { toEntry } from './find-tested-agent.ts';
import { install } from './install.ts';
import { ModelServer } from './model-server/model-server.ts';
import { readOptions, type RunOptions } from './options.ts';
import type { AgentResult, Outcome } from './outcome.ts';
import { Place } from './place.ts';
import { writePage } from './report/page.ts';
import { writeResult } from './results.ts';
import { runScenario } from './run-scenario.ts';
import type { ScenarioName } from './scenario-names.ts';
import type { TestedAgent } from './tested-agent.ts';

let options: RunOptions;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(2);
}
const counts = { failed: 0, 'not run': 0 };
for (const agent of options.agents) {
  const result = await runAgent(agent, options.scenarios);
  for (const { kind } of Object.values(result.outcomes)) {
    if (kind === 'failed' || kind === 'not run') counts[kind] += 1;
  }
  writeResult(result);
}
writePage();
console.log(`${counts.failed} failed, ${counts['not run']} not run.`);
// A scenario that was given up may still hold something open.
process.exit(counts.failed === 0 ? 0 : 1);

async function runAgent(
  agent: TestedAgent,
  scenarios: readonly ScenarioName[],
): Promise<AgentResult> {
  const outcomes: Partial<Record<ScenarioName, Outcome>> = {};
  const note = (scenario: ScenarioName, outcome: Outcome, ms: number): void => {
    outcomes[scenario] = outcome;
    const seconds = (ms / 1000).toFixed(1).padStart(5);
    console.log(`${agent.name.padEnd(12)} ${scenario.padEnd(9)} ${seconds} s  ${toText(outcome)}`);
  };
  const installed = await install(agent);
  if (installed.kind === 'refused') {
    for (const name of scenarios) note(name, { kind: 'not run', why: installed.why }, 0);
  } else {
    const server = await ModelServer.start();
    const place = new Place(agent, installed.folder, server.url);
    place.setUp(agent, server.url);
    const entry = toEntry(agent, installed.folder, place);
    for (const name of scenarios) {
      const started = performance.now();
      server.requests.length = 0;
      const world = { agent, entry, server, place, work: place.createWork() };
      const outcome = await runScenario(name, world);
      note(name, outcome, performance.now() - started);
    }
    await server.close();
    place.dispose();
  }
  const date = new Date().toISOString().slice(0, 10);
  return { name: agent.name, packages: agent.packages, date, outcomes };
}

function toText(outcome: Outcome): string {
  const { kind } = outcome;
  if (kind === 'passed') return outcome.note === undefined ? kind : `${kind}: ${outcome.note}`;
  return `${kind}: ${kind === 'failed' ? outcome.evidence : outcome.why}`;
}
