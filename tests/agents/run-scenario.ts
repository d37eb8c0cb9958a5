import { setTimeout as delay } from 'node:timers/promises';
import { NotApplicable, type Outcome } from './outcome.ts';
import { killAll, remainingWithHome } from './processes.ts';
import type { ScenarioName } from './scenario-names.ts';
import type { World } from './scenarios/scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';

/** How long a scenario may take, in ms, with the start of the agent. */
const SCENARIO_MS_MAX = 120_000;

/** Runs one scenario within its time; leaves no process of the agent, whatever happens. */
export async function runScenario(name: ScenarioName, world: World): Promise<Outcome> {
  const why = world.agent.notApplicable?.[name];
  if (why !== undefined) return { kind: 'not applicable', why };
  const late = new AbortController();
  const outcome = await Promise.race([
    attempt(name, world),
    delay(SCENARIO_MS_MAX, undefined, { signal: late.signal }).then((): Outcome => {
      return { kind: 'failed', evidence: `it did not end within ${SCENARIO_MS_MAX / 1000} s` };
    }),
  ]);
  late.abort();
  killAll(await remainingWithHome(world.place.home));
  return clean(outcome, world);
}

async function attempt(name: ScenarioName, world: World): Promise<Outcome> {
  try {
    const note = await SCENARIOS[name](world);
    return { kind: 'passed', ...(note === undefined ? {} : { note }) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof NotApplicable) return { kind: 'not applicable', why: message };
    return { kind: 'failed', evidence: message };
  }
}

/** Results are the same on every machine: one line, without paths and addresses of this one. */
function clean(outcome: Outcome, { place, server }: World): Outcome {
  const toLine = (text: string): string =>
    place
      .clean(text)
      .replaceAll(server.url, '<model>')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
      .replaceAll(/\s+/g, ' ')
      .slice(0, 300);
  switch (outcome.kind) {
    case 'passed':
      return outcome.note === undefined ? outcome : { ...outcome, note: toLine(outcome.note) };
    case 'failed':
      return { ...outcome, evidence: toLine(outcome.evidence) };
    case 'not applicable':
    case 'not run':
      return { ...outcome, why: toLine(outcome.why) };
  }
}
