import type { RequestPermissionResponse } from '@signalbox/acp';
import type { PermissionId, SessionId } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { errorOf, select } from './editor.ts';
import { ask, say, script, Stage } from './stage.ts';

describe('session/close', () => {
  it('cancels what is under way, ends the agent, and keeps the session', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const running = editor.prompt(sessionId, script(say('on it'), ask(), { cancel: true }));
    await editor.untilAsked();
    const closed = editor.connection.request('session/close', { sessionId });
    expect(await running).toEqual({ stopReason: 'cancelled' });
    expect(await closed).toEqual({});
    expect(await stage.eventsOf(sessionId, 'agent.exited')).toHaveLength(1);
    await editor.until(() => editor.permissions[0]?.signal.aborted === true);
    expect(await errorOf(editor.prompt(sessionId, 'hello'))).toMatchObject({ code: -32002 });
    const { sessions } = await editor.connection.request('session/list', {});
    expect(sessions).toHaveLength(1);
    await editor.load(sessionId, stage.folder);
    expect(await editor.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' });
  });

  it('leaves the agent to other clients that have the session open', async () => {
    const stage = await Stage.open();
    const [a, b] = [await stage.connect(), await stage.connect()];
    const sessionId = await a.newSession(stage.folder);
    await b.load(sessionId, stage.folder);
    const running = b.prompt(sessionId, script(say('on it'), { cancel: true }));
    await a.untilSaid('on it');
    expect(await a.connection.request('session/close', { sessionId })).toEqual({});
    expect(await stage.eventsOf(sessionId, 'turn.cancel_requested')).toEqual([]);
    b.cancel(sessionId);
    expect(await running).toEqual({ stopReason: 'cancelled' });
    expect(await b.prompt(sessionId, 'more')).toEqual({ stopReason: 'end_turn' });
    expect(a.said).toEqual(['on it']);
  });

  it('takes back what the client has waiting, and nothing of others', async () => {
    const stage = await Stage.open();
    let answer!: (response: RequestPermissionResponse) => void;
    const answered = new Promise<RequestPermissionResponse>((resolve) => (answer = resolve));
    const [a, b] = [await stage.connect(), await stage.connect({ onPermission: () => answered })];
    const sessionId = await a.newSession(stage.folder);
    await b.load(sessionId, stage.folder);
    const running = b.prompt(sessionId, script(ask(), say('done')));
    await b.untilAsked();
    const waiting = a.prompt(sessionId, 'never said');
    await stage.untilEvent(sessionId, 'prompt.queued');
    expect(await a.connection.request('session/close', { sessionId })).toEqual({});
    expect(await waiting).toEqual({ stopReason: 'cancelled' });
    answer(select('yes'));
    expect(await running).toEqual({ stopReason: 'end_turn' });
    expect(await stage.eventsOf(sessionId, 'turn.cancel_requested')).toEqual([]);
  });

  it('of a session that is not open is an error', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const call = editor.connection.request('session/close', { sessionId: 'nonsense' });
    expect(await errorOf(call)).toMatchObject({ code: -32002 });
  });
});

describe('session/delete', () => {
  it('deletes a session for good, also one with a turn under way', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const running = editor.prompt(sessionId, script(say('on it'), { cancel: true }));
    await editor.untilSaid('on it');
    expect(await editor.connection.request('session/delete', { sessionId })).toEqual({});
    expect(await running).toEqual({ stopReason: 'cancelled' });
    expect(await stage.sessionIds()).toEqual([]);
    expect(await errorOf(editor.load(sessionId, stage.folder))).toMatchObject({ code: -32002 });
    expect(await errorOf(editor.prompt(sessionId, 'x'))).toMatchObject({ code: -32002 });
  });

  it('takes a session that does not exist for deleted', async () => {
    const stage = await Stage.open();
    const { connection } = await stage.connect();
    expect(await connection.request('session/delete', { sessionId: 'nonsense' })).toEqual({});
  });
});

describe('the end of a connection', () => {
  it('detaches the client; the turn goes on and another client sees its end', async () => {
    const stage = await Stage.open({ agent: 'streams-slowly' });
    const [a, b] = [await stage.connect(), await stage.connect()];
    const sessionId = await a.newSession(stage.folder);
    await b.load(sessionId, stage.folder);
    const running = errorOf(a.prompt(sessionId, '200'));
    await b.untilSaid('chunk 50');
    await a.connection.close();
    await a.server.gone;
    await b.untilSaid('chunk 200');
    await running;
    const finished = await stage.untilEvent(sessionId, 'turn.finished');
    expect(finished.data.end).toEqual({ kind: 'stopped', stopReason: 'end_turn' });
  });

  it('by us lets prompts under way be answered for as long as is asked', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const waiting = await editor.newSession(stage.folder);
    const running = editor.prompt(sessionId, script(say('on it'), ask()));
    const given = errorOf(editor.prompt(waiting, script({ cancel: true })));
    await editor.untilAsked();
    const closed = editor.server.close(5000);
    const session = await stage.host.openSession(sessionId as SessionId);
    const [permissionId] = [...session.state.permissions.keys()];
    await session.answerPermission(permissionId as PermissionId, 'yes', OTHER);
    // One turn ends by itself in time; the other is ended by its host, and nobody has cancelled it.
    expect(await running).toEqual({ stopReason: 'end_turn' });
    await stage.host.closeSession(waiting as SessionId);
    expect(await given).toMatchObject({ code: -32800 });
    await closed;
  });
});

const OTHER = { kind: 'client', name: 'other' } as const;
