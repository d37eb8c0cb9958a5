import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findKnown, isKnownFor } from '../find-tested-agent.ts';
import { check } from '../outcome.ts';
import { runSignalbox, type PrintedEvent } from '../second-process.ts';
import type { Scenario, World } from './scenario.ts';

/** Without directives, because some agents put the restored history behind the next prompt. */
const FIRST = 'The word is amber.';
const SECOND = '[[say:Yes, I remember.]] Which word?';

/** Agents with this quirk restore a session in another way when it is older than that. */
const YOUNG_MS = 65_000;

/** A second process goes on with the session, and the model learns what was said before. */
export const resume: Scenario = async (world) => {
  const atOnce = await resumeAfter(world, 0);
  if (!isKnownFor(world.agent, 'load-wipes-fresh-session')) return `by ${atOnce}`;
  const later = await resumeAfter(world, YOUNG_MS);
  return `by ${atOnce} at once, by ${later} after a minute`;
};

/** @returns how the session was restored. @throws Failure. */
async function resumeAfter(world: World, ms: number): Promise<string> {
  const { agent, entry, place, work, server } = world;
  const data = place.dataFolder();
  if (findKnown(agent) === undefined) {
    const agents = { [entry.name]: { command: entry.command } };
    writeFileSync(join(data, 'config.json'), JSON.stringify({ agents }));
  }
  const run = (...args: string[]): Promise<PrintedEvent[]> =>
    runSignalbox(['run', '--json', '--deny', ...args], place.environment, data);
  await run('--agent', entry.name, '-C', work, FIRST);
  await delay(ms);
  const before = server.requests.length;
  const events = await run('--resume', 'last', SECOND);

  const started = events.find(({ type }) => type === 'agent.started');
  const restoredBy = String(started?.data['restoredBy']);
  const updates = events.filter(({ type }) => type === 'update').map(({ data: at }) => textOf(at));
  const said = updates.join('');
  check(!said.includes(FIRST), `after ${restoredBy}, the log has the history twice`);
  if (agent.hasNoModel === true) return restoredBy;
  check(said.includes('Yes, I remember.'), `after ${restoredBy}, it said "${said.slice(0, 120)}"`);
  const texts = server.requests.slice(before).flatMap(({ userTexts }) => userTexts);
  const isKnown = texts.some((text) => text.includes(FIRST));
  check(isKnown, `after ${restoredBy}, the model does not know what was said before`);
  return restoredBy;
}

function textOf({ update }: PrintedEvent['data']): string {
  const { content } = update as { readonly content?: { readonly text?: unknown } };
  return typeof content?.text === 'string' ? content.text : '';
}
