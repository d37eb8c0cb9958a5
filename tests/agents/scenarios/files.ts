import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../outcome.ts';
import type { SessionDriver } from '../session-driver.ts';
import type { Script } from '../tested-agent.ts';
import { checkEnded, describe, promptOf, withSession, type Scenario } from './scenario.ts';

/** An edit arrives on disk. */
export const edit: Scenario = fileScenario((agent) => agent.edit, 'edit.txt', 'after');

/** A new file arrives on disk. */
export const create: Scenario = fileScenario((agent) => agent.create, 'created.txt', 'created');

function fileScenario(
  scriptOf: (agent: Parameters<Scenario>[0]['agent']) => Script | undefined,
  file: string,
  wanted: string,
): Scenario {
  return (world) =>
    withSession(world, 'allow', async (driver) => {
      const turn = await driver.prompt(promptOf(world, scriptOf(world.agent)));
      checkEnded(turn);
      const path = join(world.work, file);
      check(existsSync(path), `there is no ${file}; it ${describe(turn)}`);
      const text = readFileSync(path, 'utf8');
      check(text.trim() === wanted, `${file} says ${JSON.stringify(text)}; it ${describe(turn)}`);
      return wayOf(driver);
    });
}

/** Who wrote the file, and whether it was asked for. */
async function wayOf(driver: SessionDriver): Promise<string> {
  const events = await driver.events();
  const isOurs = events.some(
    (event) => event.type === 'file.accessed' && event.data.kind === 'write',
  );
  const asked = driver.askedCount > 0 ? '' : ', without asking';
  return `${isOurs ? 'written by the host' : 'written by the agent'}${asked}`;
}
