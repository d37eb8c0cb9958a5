import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { RawJson } from '@signalbox/acp';
import { describe, expect, it } from 'vitest';
import { errorOf, type Editor } from './editor.ts';
import { Stage } from './stage.ts';

const OPTION = {
  type: 'select',
  id: 'model',
  name: 'Model',
  currentValue: 'small',
  options: [
    { value: 'small', name: 'Small' },
    { value: 'large', name: 'Large' },
  ],
};
const NEW_SESSION = JSON.stringify({
  modes: {
    currentModeId: 'ask',
    availableModes: [
      { id: 'ask', name: 'Ask' },
      { id: 'code', name: 'Code' },
    ],
  },
  configOptions: [OPTION],
});

async function twoEditors(stage: Stage): Promise<[a: Editor, b: Editor, sessionId: string]> {
  const [a, b] = [await stage.connect(), await stage.connect()];
  const sessionId = await a.newSession(stage.folder);
  await b.load(sessionId, stage.folder);
  b.clear();
  return [a, b, sessionId];
}

describe('session/set_mode', () => {
  it('changes the mode; all other clients are told, and whoever loads later', async () => {
    const stage = await Stage.open({ env: { NEW_SESSION } });
    const [a, b, sessionId] = await twoEditors(stage);
    const params = { sessionId, modeId: 'code' };
    expect(await a.connection.request('session/set_mode', params)).toEqual({});
    await b.until(() => b.updates().length > 0);
    expect(b.updates()).toEqual([{ sessionUpdate: 'current_mode_update', currentModeId: 'code' }]);
    await a.prompt(sessionId, 'x');
    expect(a.story).toEqual(['agent: x']);
    const c = await stage.connect();
    expect(await c.load(sessionId, stage.folder)).toMatchObject({
      modes: { currentModeId: 'code' },
    });
  });

  it("passes the agent's refusal on, and of an unknown session is an error", async () => {
    const stage = await Stage.open({ env: { NEW_SESSION } });
    const [a, b, sessionId] = await twoEditors(stage);
    const set = (id: string, modeId: string): Promise<unknown> =>
      a.connection.request('session/set_mode', { sessionId: id, modeId });
    expect(await errorOf(set(sessionId, 'bogus'))).toMatchObject({ code: -32602 });
    expect(await errorOf(set('nonsense', 'code'))).toMatchObject({ code: -32002 });
    await b.prompt(sessionId, 'x');
    expect(b.story).toEqual(['agent: x']);
  });
});

describe('session/set_config_option', () => {
  it('answers as the agent does; all other clients are told', async () => {
    const stage = await Stage.open({ env: { NEW_SESSION } });
    const [a, b, sessionId] = await twoEditors(stage);
    const configOptions = [{ ...OPTION, currentValue: 'large' }];
    const params = { sessionId, configId: 'model', value: 'large' };
    const answer = await a.connection.request('session/set_config_option', params);
    expect(answer).toEqual({ configOptions });
    await b.until(() => b.updates().length > 0);
    expect(b.updates()).toEqual([{ sessionUpdate: 'config_option_update', configOptions }]);
    const c = await stage.connect();
    expect(await c.load(sessionId, stage.folder)).toMatchObject({ configOptions });
    const wrong = { ...params, value: 'huge' };
    const refused = a.connection.request('session/set_config_option', wrong);
    expect(await errorOf(refused)).toMatchObject({ code: -32602 });
  });
});

describe('an extension', () => {
  it('of the client reaches the agent under its own id of the session', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const params = new RawJson(`{"sessionId":${JSON.stringify(sessionId)},"value":{"n":1}}`);
    const { result } = await editor.connection.requestOther('_test/echo', params);
    expect(result).toEqual({ echoed: { n: 1 }, isOwnId: true });
  });

  it('without a session, or of no underscore, is not known', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const calls: [string, object][] = [
      ['_test/echo', {}],
      ['test/echo', { sessionId }],
      ['session/fork', { sessionId }],
    ];
    for (const [method, params] of calls) {
      const call = editor.connection.requestOther(method, params);
      expect(await errorOf(call)).toMatchObject({ code: -32601 });
    }
  });
});

const INITIALIZE = JSON.stringify({
  agentCapabilities: { auth: { logout: {} } },
  authMethods: [
    { id: 'key', name: 'Key' },
    { id: 'broken', name: 'Broken' },
    { id: 'cli', name: 'Terminal', type: 'terminal' },
  ],
});

/** A stage whose agent wants a sign-in, and the file that says that there was one. */
async function signedOut(): Promise<{ stage: Stage; editor: Editor; file: string }> {
  const place = await Stage.open();
  const file = join(place.folder, 'auth');
  const stage = await Stage.open({ env: { INITIALIZE, AUTH: file } });
  return { stage, editor: await stage.connect(), file };
}

describe('a sign-in', () => {
  it('is passed to the agent, and the session that was refused can be made then', async () => {
    const { stage, editor, file } = await signedOut();
    expect(await errorOf(editor.newSession(stage.folder))).toMatchObject({ code: -32000 });
    expect(await editor.connection.request('authenticate', { methodId: 'key' })).toEqual({});
    expect(existsSync(file)).toBe(true);
    const sessionId = await editor.newSession(stage.folder);
    expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
  });

  it('that the agent refuses fails with its words; unknown ones and those in a terminal too', async () => {
    const { editor } = await signedOut();
    const sign = (methodId: string): Promise<unknown> =>
      editor.connection.request('authenticate', { methodId });
    expect(await errorOf(sign('broken'))).toMatchObject({
      code: -32603,
      message: 'The key is wrong',
    });
    expect(await errorOf(sign('cli'))).toMatchObject({ code: -32602 });
    expect(await errorOf(sign('bogus'))).toMatchObject({ code: -32602 });
  });

  it('that the agent never answers is given up', async () => {
    const stage = await Stage.open({ agent: 'fails-sign-in', signInMs: 200 });
    const { connection } = await stage.connect();
    const error = await errorOf(connection.request('authenticate', { methodId: 'silent' }));
    expect(error.message).toContain('no answer to authenticate within 200 ms');
  });

  it('during which the agent dies fails with how it did (B21)', async () => {
    const stage = await Stage.open({ agent: 'fails-sign-in' });
    const { connection } = await stage.connect();
    const error = await errorOf(connection.request('authenticate', { methodId: 'deadly' }));
    expect(error).toMatchObject({ code: -32603, data: { failure: 'agent_exited' } });
    expect(error.message).toMatch(/exit code 7.*403 blocked by policy/);
  });

  it('restarts an agent whose last turn wanted one, and sends no prompt again by itself', async () => {
    const { stage, editor } = await signedOut();
    await editor.connection.request('authenticate', { methodId: 'key' });
    const sessionId = await editor.newSession(stage.folder);
    const refused = editor.prompt(
      sessionId,
      JSON.stringify([{ answer: { error: { code: -32000, message: 'Expired' } } }]),
    );
    expect(await errorOf(refused)).toMatchObject({ code: -32000, message: 'Expired' });
    await editor.connection.request('authenticate', { methodId: 'key' });
    expect(await stage.eventsOf(sessionId, 'agent.exited')).toHaveLength(1);
    expect(await stage.eventsOf(sessionId, 'turn.started')).toHaveLength(1);
    expect(await editor.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' });
    expect(await stage.eventsOf(sessionId, 'agent.started')).toHaveLength(2);
  });

  it('is not asked to be taken back of an agent that does not say it can', async () => {
    const stage = await Stage.open();
    const { connection } = await stage.connect();
    const call = connection.requestOther('logout', {});
    expect(await errorOf(call)).toMatchObject({ code: -32601 });
  });

  it('is taken back by logout', async () => {
    const { stage, editor, file } = await signedOut();
    await editor.connection.request('authenticate', { methodId: 'key' });
    expect(await editor.connection.request('logout', {})).toEqual({});
    expect(existsSync(file)).toBe(false);
    expect(await errorOf(editor.newSession(stage.folder))).toMatchObject({ code: -32000 });
  });
});
