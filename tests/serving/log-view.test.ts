import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { decodeTranscript, toCursor, toTranscript, type SessionId } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { errorOf } from './editor.ts';
import { Follower } from './follower.ts';
import { ask, say, script, Stage, update } from './stage.ts';

const STORY = script(
  say('one'),
  update({ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Look', kind: 'read' }),
  update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' }),
  say('two'),
);

/** A session with a turn, made by an editor that is gone. */
async function told(stage: Stage, story = STORY): Promise<SessionId> {
  const editor = await stage.connect();
  const sessionId = await editor.newSession(stage.folder);
  await editor.prompt(sessionId, story);
  await editor.server.close();
  return sessionId as SessionId;
}

function promptParams(sessionId: string, text: string, promptId?: string): object {
  const _meta = promptId === undefined ? {} : { _meta: { 'signalbox/promptId': promptId } };
  return { sessionId, prompt: [{ type: 'text', text }], ..._meta };
}

describe('attaching to a log', () => {
  it('from its start tells every event once and in order, and that it has caught up', async () => {
    const stage = await Stage.open();
    const sessionId = await told(stage);
    const follower = await Follower.connect(stage);
    const answer = await follower.attach(sessionId, { after: 'start' });
    expect(answer).toEqual({ sessionId, role: 'driver', agent: 'scripted', cwd: stage.folder });
    await follower.until(() => follower.hasCaughtUp);
    expect(follower.events.map(({ event }) => event)).toEqual(await stage.events(sessionId));
    expect(follower.events.map(({ seq }) => seq)).toEqual(follower.events.map((_, i) => i + 1));
    const head = toCursor(sessionId, follower.events.length);
    expect(follower.news).toEqual([{ method: 'caught_up', params: { sessionId, cursor: head } }]);
  });

  it('behind any cursor tells exactly the rest', async () => {
    const stage = await Stage.open();
    const sessionId = await told(stage);
    const events = await stage.events(sessionId);
    for (let seq = 0; seq <= events.length; seq++) {
      const follower = await Follower.connect(stage);
      await follower.attach(sessionId, { after: toCursor(sessionId, seq) });
      await follower.until(() => follower.hasCaughtUp);
      expect(follower.events.map(({ event }) => event)).toEqual(events.slice(seq));
      await follower.server.close();
    }
  });

  it('without a cursor gives the session as it stands, and then what is new', async () => {
    const stage = await Stage.open();
    const sessionId = await told(stage);
    const before = toTranscript(
      (await stage.events(sessionId)).map((event, index) => ({ seq: index + 1, event })),
    );
    const follower = await Follower.connect(stage);
    const { snapshot } = await follower.attach(sessionId);
    const { cursor, transcript } = snapshot as { cursor: string; transcript: unknown };
    expect(decodeTranscript(transcript)).toEqual(before);
    expect(cursor).toBe(toCursor(sessionId, before.lastSeq));
    await follower.call('session/prompt', promptParams(sessionId, 'hello'));
    expect(follower.events[0]?.seq).toBe(before.lastSeq + 1);
    expect(follower.types).toContain('turn.finished');
  });

  it('works when the agent is not known any more; a prompt says so', async () => {
    const before = await Stage.open();
    const sessionId = await told(before);
    const events = await before.events(sessionId);
    await before.host.closeSession(sessionId);
    const stage = await Stage.open({ journal: before.journal, knowsAgents: false });
    const follower = await Follower.connect(stage);
    await follower.attach(sessionId, { after: 'start' });
    await follower.until(() => follower.hasCaughtUp);
    expect(follower.events.slice(0, events.length).map(({ event }) => event)).toEqual(events);
    const error = await errorOf(follower.call('session/prompt', promptParams(sessionId, 'hello')));
    expect(error.message).toContain('There is no agent named "scripted"');
  });

  it('works when the folder is gone; a prompt says so', async () => {
    const stage = await Stage.open();
    const folder = join(stage.folder, 'soon gone');
    mkdirSync(folder);
    const editor = await stage.connect();
    const sessionId = (await editor.newSession(folder)) as SessionId;
    await editor.prompt(sessionId, STORY);
    await editor.server.close();
    await stage.host.closeSession(sessionId);
    rmSync(folder, { recursive: true });
    const follower = await Follower.connect(stage);
    await follower.attach(sessionId, { after: 'start' });
    await follower.until(() => follower.hasCaughtUp);
    expect(follower.types).toContain('turn.finished');
    const error = await errorOf(follower.call('session/prompt', promptParams(sessionId, 'hello')));
    expect(error.message).toContain('does not exist');
  });

  it('behind the end of the log gives a gap and the session as it stands', async () => {
    const stage = await Stage.open();
    const sessionId = await told(stage);
    const follower = await Follower.connect(stage);
    const after = toCursor(sessionId, 999_999);
    const answer = await follower.attach(sessionId, { after });
    expect(answer).toMatchObject({ gap: { reason: 'future', requested: after } });
    expect(answer['snapshot']).toBeDefined();
  });

  it.for([
    ['no-cursor', 'cursor_malformed'],
    [toCursor('another' as SessionId, 3), 'cursor_foreign'],
  ])('behind %s is refused', async ([after, reason]) => {
    const stage = await Stage.open();
    const sessionId = await told(stage);
    const follower = await Follower.connect(stage);
    const error = await errorOf(follower.attach(sessionId, { after }));
    expect(error).toMatchObject({ code: -32602, data: { reason } });
  });

  it('to a session that there is not is refused', async () => {
    const stage = await Stage.open();
    const follower = await Follower.connect(stage);
    expect(await errorOf(follower.attach('nothing'))).toMatchObject({ code: -32002 });
  });

  it('shares one log among many, each at its own place', async () => {
    const stage = await Stage.open();
    const driver = await Follower.connect(stage);
    const { sessionId } = await driver.call<{ sessionId: string }>('session/new', {
      cwd: stage.folder,
      mcpServers: [],
    });
    await driver.attach(sessionId, { after: 'start' });
    const others = await Promise.all([1, 2, 3].map(() => Follower.connect(stage)));
    await Promise.all(others.map((other) => other.attach(sessionId, { after: 'start' })));
    await driver.call('session/prompt', promptParams(sessionId, STORY));
    const isDone = (follower: Follower): boolean => follower.types.includes('turn.finished');
    await Promise.all(others.map((other) => other.until(() => isDone(other))));
    const events = await stage.events(sessionId);
    for (const follower of [driver, ...others]) {
      expect(follower.events.map(({ event }) => event)).toEqual(events);
    }
  });

  it('is told when the session is closed, and nothing after a detach', async () => {
    const stage = await Stage.open();
    const sessionId = await told(stage);
    const [stays, leaves] = [await Follower.connect(stage), await Follower.connect(stage)];
    await stays.attach(sessionId, { after: 'start' });
    await leaves.attach(sessionId, { after: 'start' });
    await leaves.call('_signalbox/session/detach', { sessionId });
    await stage.host.closeSession(sessionId);
    await stays.until(() => stays.news.some(({ method }) => method === 'ended'));
    expect(stays.news.at(-1)?.params).toEqual({ sessionId, reason: 'closed' });
    expect(leaves.news.filter(({ method }) => method === 'ended')).toEqual([]);
  });
});

describe('a prompt that is sent again', () => {
  it('joins the turn, also over another connection', async () => {
    const stage = await Stage.open();
    const sessionId = await told(stage);
    const [one, other] = [await Follower.connect(stage), await Follower.connect(stage)];
    await one.attach(sessionId, { after: 'start' });
    await other.attach(sessionId, { after: 'start' });
    const params = promptParams(sessionId, script(say('x'), ask()), 'prompt-12345678');
    const answers = [one.call('session/prompt', params), other.call('session/prompt', params)];
    await one.until(() => one.types.includes('permission.requested'));
    const asked = one.events.find(({ event }) => event.type === 'permission.requested');
    const { permissionId } = asked?.event.data as { permissionId: string };
    const answer = { sessionId, permissionId, optionId: 'yes' };
    await one.call('_signalbox/session/answer_permission', answer);
    expect(await Promise.all(answers)).toEqual([
      { stopReason: 'end_turn' },
      { stopReason: 'end_turn' },
    ]);
    expect(await stage.eventsOf(sessionId, 'turn.started')).toHaveLength(2);
    const late = await errorOf(other.call('_signalbox/session/answer_permission', answer));
    expect(late).toMatchObject({ code: -32602, data: { reason: 'not_waiting' } });
  });

  it('is refused when another one was sent under its name, or the name is no name', async () => {
    const stage = await Stage.open();
    const sessionId = await told(stage);
    const follower = await Follower.connect(stage);
    await follower.attach(sessionId);
    await follower.call('session/prompt', promptParams(sessionId, 'a', 'prompt-12345678'));
    for (const params of [
      promptParams(sessionId, 'b', 'prompt-12345678'),
      promptParams(sessionId, 'b', 'short'),
      promptParams(sessionId, 'b', 'with spaces in it'),
    ]) {
      expect(await errorOf(follower.call('session/prompt', params))).toMatchObject({
        code: -32602,
      });
    }
  });
});

describe('roles', () => {
  const FORBIDDEN = { code: -32012, data: { failure: 'forbidden' } };

  it('let an observer see everything and do nothing', async () => {
    const stage = await Stage.open();
    const sessionId = await told(stage);
    const observer = await Follower.connect(stage, { role: 'observer' });
    expect(await observer.attach(sessionId, { role: 'driver' })).toMatchObject({
      role: 'observer',
    });
    for (const call of [
      observer.call('session/prompt', promptParams(sessionId, 'x')),
      observer.call('session/set_mode', { sessionId, modeId: 'code' }),
      observer.call('session/new', { cwd: stage.folder, mcpServers: [] }),
      observer.call('session/delete', { sessionId }),
      observer.call('_test/echo', { sessionId, value: 1 }),
      observer.call('_signalbox/session/answer_permission', { sessionId, permissionId: 'x' }),
    ]) {
      expect(await errorOf(call)).toMatchObject(FORBIDDEN);
    }
    expect((await stage.eventsOf(sessionId, 'turn.started')).length).toBe(1);
  });

  it('let an approver answer and stop, and not prompt', async () => {
    const stage = await Stage.open();
    const sessionId = await told(stage);
    const driver = await Follower.connect(stage);
    const approver = await Follower.connect(stage);
    await driver.attach(sessionId, { after: 'start' });
    await approver.attach(sessionId, { role: 'approver', after: 'start' });
    const running = driver.call(
      'session/prompt',
      promptParams(sessionId, script(ask(), ask('c2'))),
    );
    await approver.until(() => approver.types.includes('permission.requested'));
    const asked = approver.events.find(({ event }) => event.type === 'permission.requested');
    const { permissionId } = asked?.event.data as { permissionId: string };
    const answer = { sessionId, permissionId, optionId: 'yes' };
    expect(await approver.call('_signalbox/session/answer_permission', answer)).toEqual({});
    const refused = await errorOf(approver.call('session/prompt', promptParams(sessionId, 'x')));
    expect(refused).toMatchObject(FORBIDDEN);
    const isAskedTwice = (): boolean =>
      approver.types.filter((type) => type === 'permission.requested').length === 2;
    await approver.until(isAskedTwice);
    await approver.connection.notifyOther('session/cancel', { sessionId });
    expect(await running).toEqual({ stopReason: 'cancelled' });
  });

  it('tell everybody who has decided', async () => {
    const stage = await Stage.open();
    const driver = await stage.connect({
      capabilities: { _meta: { signalbox: {} } },
      clientName: 'editor',
    });
    const sessionId = await driver.newSession(stage.folder);
    const approver = await Follower.connect(stage, { clientName: 'phone' });
    await approver.attach(sessionId, { role: 'approver', after: 'start' });
    const running = driver.prompt(sessionId, script(ask()));
    await driver.untilAsked();
    await approver.until(() => approver.types.includes('permission.requested'));
    const asked = approver.events.find(({ event }) => event.type === 'permission.requested');
    const { permissionId } = asked?.event.data as { permissionId: string };
    const answer = { sessionId, permissionId, optionId: 'no' };
    await approver.call('_signalbox/session/answer_permission', answer);
    await running;
    expect(driver.permissions[0]?.signal.aborted).toBe(true);
    const told = driver.frames.find((frame) => frame.includes('_signalbox/permission_resolved'));
    expect(JSON.parse(told ?? '{}')).toMatchObject({
      params: { sessionId, permissionId, by: { kind: 'client', name: 'phone' } },
    });
  });
});

describe('what a client may ask for', () => {
  it('merged bursts are the same session with fewer events', async () => {
    const stage = await Stage.open();
    const chunks = Array.from({ length: 200 }, (_, index) => say(`${index} `));
    const sessionId = await told(stage, script(...chunks));
    const follower = await Follower.connect(stage);
    await follower.attach(sessionId, { after: 'start', merge: true });
    await follower.until(() => follower.hasCaughtUp);
    const events = await stage.events(sessionId);
    expect(follower.events.length).toBeLessThan(events.length / 4);
    let next = 1;
    for (const { firstSeq, seq } of follower.events) {
      expect(firstSeq).toBe(next);
      next = seq + 1;
    }
    const entriesOf = (stored: Parameters<typeof toTranscript>[0]): unknown[] =>
      toTranscript(stored).entries.map((entry) => ({ ...entry, lastSeq: 0 }));
    const whole = events.map((event, index) => ({ seq: index + 1, event }));
    expect(entriesOf(follower.events)).toEqual(entriesOf(whole));
  });

  it('large strings by reference are read in parts, whole and exact', async () => {
    const stage = await Stage.open();
    const text = 'a€😀'.repeat(300_000);
    const sessionId = await told(stage, script(say(text)));
    const follower = await Follower.connect(stage);
    await follower.attach(sessionId, { after: 'start', inlineBytesMax: 4096 });
    await follower.until(() => follower.hasCaughtUp);
    const { seq, event } = follower.events.find(({ event: { type } }) => type === 'update') ?? {};
    const update = (event?.data as { update: { value: object } }).update.value as {
      content: { text: { '$signalbox/ref': { pointer: string; bytes: number; digest: string } } };
    };
    const { pointer, bytes, digest } = update.content.text['$signalbox/ref'];
    expect(bytes).toBe(Buffer.byteLength(text));
    let [offset, read] = [0, ''];
    for (let isLast = false; !isLast;) {
      const part = await follower.call<{
        text: string;
        nextOffset: number;
        isLast: boolean;
        digest: string;
      }>('_signalbox/content/read', { sessionId, seq, pointer, offset, length: 700_001 });
      expect(part.digest).toBe(digest);
      read += part.text;
      ({ nextOffset: offset, isLast } = part);
    }
    expect(read === text).toBe(true);
  });

  it('sessions of all agents, page by page', async () => {
    const stage = await Stage.open();
    const ids = [await told(stage), await told(stage), await told(stage)];
    const follower = await Follower.connect(stage);
    const page = await follower.call<{ sessions: { sessionId: string }[]; next?: string }>(
      '_signalbox/session/list',
      { limit: 2 },
    );
    expect(page.sessions).toHaveLength(2);
    const rest = await follower.call<typeof page>('_signalbox/session/list', {
      limit: 2,
      after: page.next,
    });
    expect([...page.sessions, ...rest.sessions].map((line) => line.sessionId)).toEqual(ids.sort());
    expect(rest.next).toBeUndefined();
  });

  it('the newest sessions first, page by page, and says when that is all', async () => {
    const stage = await Stage.open();
    const ids = [await told(stage), await told(stage), await told(stage), await told(stage)];
    const follower = await Follower.connect(stage);
    type Page = { readonly sessions: readonly { sessionId: string }[]; readonly next?: string };
    const list = (more: object): Promise<Page> =>
      follower.call('_signalbox/session/list', { limit: 2, order: 'newest', ...more });
    const first = await list({});
    const second = await list({ after: first.next });
    const listed = [...first.sessions, ...second.sessions].map((line) => line.sessionId);
    expect(listed).toEqual(ids.sort().reverse());
    expect(second.next).toBeUndefined();
    await expect(list({ order: 'odd' })).rejects.toMatchObject({ code: -32602 });
  });

  it('a context, from which another session goes on', async () => {
    const stage = await Stage.open();
    const sessionId = await told(stage);
    const follower = await Follower.connect(stage);
    await follower.attach(sessionId);
    const snapshot = await follower.call('_signalbox/session/snapshot', { sessionId });
    expect(snapshot).toMatchObject({ format: 'context/1', cwd: stage.folder, agent: 'scripted' });
    const restored = await follower.call<{ sessionId: string }>('_signalbox/session/restore', {
      snapshot,
    });
    expect(restored.sessionId).not.toBe(sessionId);
    await follower.attach(restored.sessionId, { after: 'start' });
    await follower.call('session/prompt', promptParams(restored.sessionId, 'what was said?'));
    const sent = await stage.events(restored.sessionId);
    expect(sent.map(({ type }) => type)).toContain('turn.finished');
  });
});
