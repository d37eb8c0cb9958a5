import { encodeEvent } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { Follower } from '../serving/follower.ts';
import { script, Stage } from '../serving/stage.ts';

const OWN = [{ name: 'own', command: '/own/server', args: [], env: [] }];
const FOREIGN = [{ name: 'foreign', command: '/foreign/server', args: [], env: [] }];

/** What the session's agent was given when it was started for this prompt. */
async function givenToAgent(stage: Stage, sessionId: string): Promise<string> {
  const driver = await Follower.connect(stage);
  await driver.attach(sessionId);
  const prompt = [{ type: 'text', text: script({ received: true }) }];
  await driver.call('session/prompt', { sessionId, prompt });
  return driver.events.map(({ event }) => encodeEvent(event)).join('\n');
}

describe('whoever opens a session', () => {
  it.for([
    ['observer', 'session/load'],
    ['observer', 'session/resume'],
    ['approver', 'session/load'],
    ['approver', 'session/resume'],
  ] as const)('as an %s (%s) has no say in what its agent starts', async ([role, method]) => {
    const stage = await Stage.open();
    const cwd = stage.folder;
    const driver = await stage.connect();
    const made = await driver.connection.request('session/new', { cwd, mcpServers: OWN });
    const { sessionId } = made;
    await driver.connection.request('session/close', { sessionId });
    const onlooker = await stage.connect({ role });
    await onlooker.connection.request(method, { sessionId, cwd, mcpServers: FOREIGN });
    const given = await givenToAgent(stage, sessionId);
    expect(given).toContain('/own/server');
    expect(given).not.toContain('/foreign/server');
  });

  it('as a driver has', async () => {
    const stage = await Stage.open();
    const cwd = stage.folder;
    const driver = await stage.connect();
    const made = await driver.connection.request('session/new', { cwd, mcpServers: FOREIGN });
    const { sessionId } = made;
    await driver.connection.request('session/close', { sessionId });
    await driver.connection.request('session/load', { sessionId, cwd, mcpServers: OWN });
    expect(await givenToAgent(stage, sessionId)).toContain('/own/server');
  });

  it('leaves it what it was to be told of another session', async () => {
    const stage = await Stage.open({ agent: 'remembers' });
    const first = await Follower.connect(stage);
    const cwd = stage.folder;
    const { sessionId } = await first.call<{ sessionId: string }>('session/new', {
      cwd,
      mcpServers: [],
    });
    await first.attach(sessionId);
    await first.call('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hello' }] });
    const snapshot = await first.call('_signalbox/session/snapshot', { sessionId });
    const restored = await first.call<{ sessionId: string }>('_signalbox/session/restore', {
      snapshot,
    });
    await first.call('session/close', { sessionId: restored.sessionId });
    const editor = await stage.connect();
    await editor.load(restored.sessionId, cwd);
    editor.clear();
    await editor.prompt(restored.sessionId, 'go on');
    expect(editor.said.join()).toContain('2 blocks');
  });
});
