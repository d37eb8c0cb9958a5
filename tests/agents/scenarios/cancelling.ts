import { check } from '../outcome.ts';
import { checkNextPrompt, describe, withSession, type Scenario } from './scenario.ts';

/** The first words that show that a turn has begun. */
const FIRST_WORDS = 'piece 2';

/** A cancel in a stream ends the turn, and the next prompt works. */
export const cancel: Scenario = (world) =>
  withSession(world, 'reject', async (driver) => {
    const running = driver.prompt('[[slow:300:100]]');
    await (world.agent.hasNoModel === true
      ? driver.untilSaid('.')
      : Promise.race([driver.untilSaid(FIRST_WORDS), running]));
    driver.cancel();
    const turn = await running;
    check(turn.end.kind === 'stopped', `the turn ended as ${describe(turn)}`);
    check(turn.end.forced !== true, 'the agent did not end the turn and had to be ended');
    const { stopReason } = turn.end;
    const oddity = await checkNextPrompt(driver, world);
    check(stopReason === 'cancelled', `the cancelled turn ended as ${stopReason}`);
    if (world.agent.hasNoModel === true) return undefined;
    const given = world.server.requests.some(({ isAborted }) => isAborted);
    const heard = given ? 'the request to the model was given up' : 'the model went on unheard';
    return oddity === undefined ? heard : `${heard}; ${oddity}`;
  });
