import type { StoredEvent } from '@signalbox/core';
import { expect } from 'vitest';
import type { Cut } from './cut-line.ts';
import type { MemoryStage } from './memory-stage.ts';
import type { OpenReader } from './ways-in.ts';

/** What was told to a client whose connection was cut again and again. */
export interface Telling {
  /** Cuts that happened. */
  readonly cutCount: number;
  /** What the client was told. */
  readonly toldCount: number;
}

/** Where to cut. */
export interface CutPlan {
  readonly cut: Cut;
  /** At each step of the story, behind so many bytes of it; or once, counted from the first byte of all. */
  readonly at: 'each step' | 'once';
  /** Whether the agent goes on without waiting until the client knows the step before. Default false. */
  readonly isHasty?: boolean;
}

/**
 * Tells a story to a client step by step, and cuts its connection. In the end the client has to know what
 * the log says, each event once and in order.
 */
export async function tellCut(
  stage: MemoryStage,
  open: OpenReader,
  plan: CutPlan | undefined,
): Promise<Telling> {
  const network = stage.openNetwork();
  const { cutter } = network;
  const staged = await stage.createSession();
  const { session, agent } = staged;
  if (plan?.at === 'once') cutter.arm(plan.cut);
  const reader = await open(network, staged);
  const log: StoredEvent[] = [];
  const settle = async (): Promise<void> => {
    // Everything that has happened is in the log then.
    await session.start();
    log.push(...(await staged.stored(log.length)));
    const expected = reader.expected(log).length;
    while (reader.told.length < expected) await reader.whenTold();
  };
  const prompted = reader.prompt('go');
  while ((await agent.next()) === 'waiting') {
    if (plan?.isHasty !== true) await settle();
    if (plan?.at === 'each step') cutter.arm(plan.cut);
    agent.step();
  }
  await prompted;
  await settle();
  expect(reader.told).toEqual(reader.expected(log));
  reader.check(log);
  cutter.disarm();
  await reader.close();
  network.close();
  await stage.deleteSession(staged);
  return { cutCount: cutter.cutCount, toldCount: reader.told.length };
}
