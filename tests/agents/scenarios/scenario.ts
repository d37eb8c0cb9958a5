import type { AgentEntry } from '@signalbox/host';
import type { ModelServer } from '../model-server/model-server.ts';
import { isKnownFor } from '../find-tested-agent.ts';
import { check, NotApplicable } from '../outcome.ts';
import type { Place } from '../place.ts';
import { SessionDriver, type Answer, type Turn } from '../session-driver.ts';
import type { Script, TestedAgent } from '../tested-agent.ts';

/** What a scenario works with. */
export interface World {
  readonly agent: TestedAgent;
  readonly entry: AgentEntry;
  readonly server: ModelServer;
  readonly place: Place;
  /** A fresh folder. */
  readonly work: string;
}

/**
 * Drives an agent and checks what came of it.
 *
 * @returns what there is to know when it passed.
 * @throws Failure or NotApplicable.
 */
export type Scenario = (world: World) => Promise<string | undefined>;

/** Runs a session of the agent and closes it, whatever happens. */
export async function withSession<T>(
  { entry, place, work }: World,
  answer: Answer,
  use: (driver: SessionDriver) => Promise<T>,
): Promise<T> {
  const driver = await SessionDriver.open(entry, place, work, answer);
  try {
    return await use(driver);
  } finally {
    await driver.close();
  }
}

/** The prompt that a script makes. @throws NotApplicable for an agent that has no such tool. */
export function promptOf({ server, work }: World, script: Script | undefined): string {
  if (script === undefined) throw new NotApplicable('it has no such tool');
  return script({ url: server.url, work });
}

/**
 * Runs a prompt behind a turn that ended badly. @returns what was odd about it.
 *
 * @throws Failure unless it works, for agents with the quirk the second time.
 */
export async function checkNextPrompt(
  driver: SessionDriver,
  { agent }: World,
): Promise<string | undefined> {
  const wanted = agent.hasNoModel === true ? /./ : /Still here\./;
  const first = await driver.prompt('[[say:Still here.]]');
  checkEnded(first);
  if (wanted.test(first.text)) return undefined;
  const isSwallowing = isKnownFor(agent, 'swallows-prompt-after-cancel');
  check(isSwallowing && first.text === '', `the next prompt ${describe(first)}`);
  const second = await driver.prompt('[[say:Still here.]]');
  check(wanted.test(second.text), `the prompt after the next ${describe(second)}`);
  return 'the next prompt is swallowed, the one behind it works';
}

/** @throws Failure unless the turn ended by itself, as finished. */
export function checkEnded({ end, text }: Turn): void {
  const isGood = end.kind === 'stopped' && end.stopReason === 'end_turn';
  check(isGood, `the turn ended as ${describe({ end, text })}`);
}

/** A turn in one line. */
export function describe({ end, text }: Turn): string {
  const how = end.kind === 'stopped' ? end.stopReason : `${end.failure} (${end.message})`;
  return text === '' ? how : `${how}, saying "${text.slice(0, 240)}"`;
}
