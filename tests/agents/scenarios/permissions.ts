import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptEntry } from '@signalbox/core';
import { isKnownFor } from '../find-tested-agent.ts';
import { check } from '../outcome.ts';
import type { SessionDriver } from '../session-driver.ts';
import { checkEnded, describe, promptOf, withSession, type Scenario } from './scenario.ts';

/** It asks, is allowed, and runs a command. */
export const tool: Scenario = (world) =>
  withSession(world, 'allow', async (driver) => {
    const turn = await driver.prompt(promptOf(world, world.agent.shell));
    checkEnded(turn);
    check(driver.askedCount > 0, `it did not ask; it ${describe(turn)}`);
    const calls = await statusesOf(driver);
    check(calls.includes('completed'), `no tool call was completed: ${calls.join(', ') || 'none'}`);
    if (world.agent.hasNoModel !== true) {
      check(existsSync(join(world.work, 'ran.txt')), `the command did not run; ${describe(turn)}`);
    }
    return terminalNote(driver);
  });

/** It asks, is refused, and runs nothing. */
export const reject: Scenario = (world) =>
  withSession(world, 'reject', async (driver) => {
    const turn = await driver.prompt(promptOf(world, world.agent.shell));
    check(turn.end.kind === 'stopped', `the turn ended as ${describe(turn)}`);
    const isCancelling = isKnownFor(world.agent, 'cancelled-without-cancel');
    const wanted = isCancelling ? 'cancelled' : 'end_turn';
    check(turn.end.stopReason === wanted, `the turn ended as ${describe(turn)}`);
    check(driver.askedCount > 0, `it did not ask; it ${describe(turn)}`);
    check(!existsSync(join(world.work, 'ran.txt')), 'the command ran all the same');
    const calls = await statusesOf(driver);
    const isOpen = calls.some((status) => status === 'pending' || status === 'in_progress');
    check(!isOpen, `a tool call stayed open: ${calls.join(', ')}`);
    return `ended as ${turn.end.stopReason}, tool call ${calls.join(', ') || 'never shown'}`;
  });

async function statusesOf(driver: SessionDriver): Promise<string[]> {
  const { entries } = await driver.transcript();
  const isCall = (entry: TranscriptEntry) => entry.kind === 'tool_call';
  return entries.filter(isCall).map(({ status }) => status);
}

/** Whether the command ran in a terminal of the host. */
async function terminalNote(driver: SessionDriver): Promise<string | undefined> {
  const events = await driver.events();
  const isOurs = events.some(({ type }) => type === 'terminal.started');
  return isOurs ? 'in a terminal of the host' : undefined;
}
