import { isKnownFor } from '../find-tested-agent.ts';
import { check } from '../outcome.ts';
import {
  checkEnded,
  checkNextPrompt,
  describe,
  promptOf,
  withSession,
  type Scenario,
} from './scenario.ts';

/** The agent starts and answers with text. */
export const text: Scenario = (world) =>
  withSession(world, 'reject', async (driver) => {
    const turn = await driver.prompt('[[say:Good morning from the model.]]');
    checkEnded(turn);
    const wanted = world.agent.hasNoModel === true ? '' : 'Good morning from the model.';
    check(turn.text.includes(wanted) && turn.text !== '', `it ${describe(turn)}`);
    return undefined;
  });

/** Reasoning arrives as thoughts. */
export const thoughts: Scenario = (world) =>
  withSession(world, 'reject', async (driver) => {
    const turn = await driver.prompt('[[think:First I look around.]] [[say:Then I answer.]]');
    checkEnded(turn);
    const { entries } = await driver.transcript();
    const thought = entries.filter(({ kind }) => kind === 'thought');
    const all = JSON.stringify(thought);
    check(all.includes('First I look around.'), `no such thought came; it ${describe(turn)}`);
    check(!turn.text.includes('First I look around.'), 'the thought is in the answer as well');
    return undefined;
  });

/** A plan arrives. */
export const plan: Scenario = (world) =>
  withSession(world, 'allow', async (driver) => {
    const turn = await driver.prompt(promptOf(world, world.agent.plan));
    checkEnded(turn);
    const { plan: entries } = await driver.transcript();
    const steps = entries.map(({ content, status }) => `${content} (${status})`);
    check(steps[0]?.includes('First step') === true, `no plan came; it ${describe(turn)}`);
    return `${steps.length} step${steps.length === 1 ? '' : 's'}`;
  });

/** An error of the model ends the turn. */
export const error: Scenario = (world) =>
  withSession(world, 'reject', async (driver) => {
    const turn = await driver.prompt('[[error:400]]');
    const isText = turn.end.kind === 'stopped' && turn.end.stopReason === 'end_turn';
    const isFailure = turn.end.kind === 'failed' && turn.end.failure === 'agent_error';
    const isToBeText = isText && isKnownFor(world.agent, 'errors-as-text');
    check(isFailure || isToBeText, `the turn ended as ${describe(turn)}`);
    const oddity = await checkNextPrompt(driver, world);
    const told = turn.text === '' ? 'not told' : 'told as text';
    const how = isFailure ? 'answered with an error' : `${told}, ended as end_turn`;
    return oddity === undefined ? how : `${how}; ${oddity}`;
  });
