import type { SessionId } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { SimulatedClock } from '../../packages/host/src/index.ts';
import { Follower } from './follower.ts';
import { say, script, Stage } from './stage.ts';

const RELEASE_MS = 60_000;

/** Whether another host could open the session now. */
async function isFree(stage: Stage, sessionId: string): Promise<boolean> {
  const { journal } = stage;
  return (await journal.records.get(`owner/${sessionId}`)) === undefined;
}

describe('a session that everybody has left', () => {
  it('is given back after a while, and opens again where it was', async () => {
    const clock = new SimulatedClock();
    const stage = await Stage.open({ clock });
    const editor = await stage.connect();
    const sessionId = (await editor.newSession(stage.folder)) as SessionId;
    await editor.prompt(sessionId, script(say('one')));
    const session = await stage.host.openSession(sessionId);
    await session.endAgent();
    await editor.server.close();
    expect(await isFree(stage, sessionId)).toBe(false);
    clock.advance(RELEASE_MS);
    while (!(await isFree(stage, sessionId))) await new Promise((resolve) => setImmediate(resolve));
    const follower = await Follower.connect(stage);
    await follower.attach(sessionId, { after: 'start' });
    await follower.until(() => follower.hasCaughtUp);
    expect(follower.types).toContain('turn.finished');
  });

  it('stays while its agent runs, or somebody has come back', async () => {
    const clock = new SimulatedClock();
    const stage = await Stage.open({ clock });
    const editor = await stage.connect();
    const sessionId = (await editor.newSession(stage.folder)) as SessionId;
    const session = await stage.host.openSession(sessionId);
    await editor.server.close();
    clock.advance(RELEASE_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await stage.host.openSession(sessionId)).toBe(session);
    const follower = await Follower.connect(stage);
    await follower.attach(sessionId);
    await session.endAgent();
    clock.advance(10 * RELEASE_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await stage.host.openSession(sessionId)).toBe(session);
    expect(follower.news.filter(({ method }) => method === 'ended')).toEqual([]);
  });
});
