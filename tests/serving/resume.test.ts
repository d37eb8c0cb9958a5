import { memberText } from '@signalbox/acp';
import { toCursor, type SessionId } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { errorOf, type Editor } from './editor.ts';
import { ask, say, script, Stage, update } from './stage.ts';

const STORY = script(
  say('one'),
  update({ sessionUpdate: 'plan', entries: [] }),
  update({ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Look' }),
  say('two'),
  update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' }),
  say('three'),
  // Left open, so that the end of the turn is told by two updates.
  update({ sessionUpdate: 'tool_call', toolCallId: 'c2', title: 'Look' }),
  update({ sessionUpdate: 'tool_call', toolCallId: 'c3', title: 'Look' }),
);
const PROMPT = [
  { type: 'resource_link', name: 'a first block', uri: 'file:///a' },
  { type: 'text', text: STORY },
] as const;

/** The updates that came, each with the place behind it. */
function placed(editor: Editor): { cursor: string; text: string }[] {
  return editor.frames.flatMap((frame) => {
    if (!frame.includes('session/update')) return [];
    const params = memberText(frame, 'params') ?? '';
    const meta = JSON.parse(memberText(params, '_meta') ?? '{}') as Record<string, string>;
    return [{ cursor: meta['acp/cursor'] ?? '', text: memberText(params, 'update') ?? '' }];
  });
}

/** A session with two turns, and what a client that saw all of it live was told. */
async function told(
  stage: Stage,
): Promise<{ sessionId: string; whole: ReturnType<typeof placed> }> {
  const driver = await stage.connect();
  const sessionId = await driver.newSession(stage.folder);
  const watcher = await stage.connect({ isRemote: true });
  await watcher.connection.request('session/resume', { sessionId, cwd: stage.folder });
  watcher.clear();
  await driver.prompt(sessionId, [...PROMPT]);
  await driver.prompt(sessionId, script(say('four')));
  await watcher.untilSaid('four');
  return { sessionId, whole: placed(watcher) };
}

function resume(editor: Editor, sessionId: string, params: object): Promise<unknown> {
  return editor.connection
    .requestOther('session/resume', { sessionId, ...params })
    .then(({ result }) => result);
}

describe('a client that comes back with a cursor', () => {
  it('is sent exactly what it has missed, wherever it was cut', async () => {
    const stage = await Stage.open();
    const { sessionId, whole } = await told(stage);
    expect(new Set(whole.map(({ cursor }) => cursor)).size).toBe(whole.length);
    for (const [index, { cursor }] of whole.entries()) {
      const editor = await stage.connect({ isRemote: true });
      const answer = await resume(editor, sessionId, { lastReceivedEventId: cursor });
      expect(answer).toMatchObject({ status: 'resumed' });
      const rest = whole.slice(index + 1);
      await editor.until(() => editor.arrived.length >= rest.length);
      expect(placed(editor)).toEqual(rest);
      await editor.server.close();
    }
  });

  it('is told at once how a prompt ended of which it has everything, without waiting for more', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const _meta = { 'signalbox/promptId': 'my-own-name-for-it' };
    await editor.prompt(sessionId, 'hello', _meta);
    const { seq } = await stage.journal.head(sessionId);
    const back = await stage.connect({ isRemote: true });
    const cursor = toCursor(sessionId as SessionId, seq);
    await resume(back, sessionId, { lastReceivedEventId: cursor });
    expect(await back.prompt(sessionId, 'hello', _meta)).toEqual({ stopReason: 'end_turn' });
    expect(await stage.eventsOf(sessionId, 'turn.started')).toHaveLength(1);
  });

  it('may load or resume with it, as the protocol spells them', async () => {
    const stage = await Stage.open();
    const { sessionId, whole } = await told(stage);
    const cursor = whole[2]?.cursor;
    for (const method of ['session/load', 'session/resume'] as const) {
      const editor = await stage.connect({ isRemote: true });
      const _meta = { 'acp/cursor': cursor };
      const params = { sessionId, cwd: stage.folder, mcpServers: [], _meta };
      await editor.connection.request(method, params);
      await editor.until(() => editor.arrived.length >= whole.length - 3);
      expect(placed(editor)).toEqual(whole.slice(3));
    }
  });

  it('is told how many events it has missed, and goes on live', async () => {
    const stage = await Stage.open();
    const { sessionId } = await told(stage);
    const head = (await stage.events(sessionId)).length;
    const cursor = toCursor(sessionId as SessionId, head);
    const editor = await stage.connect({ isRemote: true });
    const answer = await resume(editor, sessionId, { lastReceivedEventId: cursor });
    expect(answer).toMatchObject({ status: 'resumed', missedEvents: 0 });
    await editor.prompt(sessionId, script(say('five')));
    expect(editor.said).toEqual(['five']);
  });

  it('is refused with the reason when the cursor is none, or of another session (B160)', async () => {
    const stage = await Stage.open();
    const { sessionId } = await told(stage);
    const foreign = toCursor('another' as SessionId, 1);
    for (const [lastReceivedEventId, reason] of [
      ['abc', 'cursor_malformed'],
      ['-1', 'cursor_malformed'],
      ['', 'cursor_malformed'],
      [foreign, 'cursor_foreign'],
    ]) {
      const editor = await stage.connect({ isRemote: true });
      const error = await errorOf(resume(editor, sessionId, { lastReceivedEventId }));
      expect(error).toMatchObject({ code: -32602, data: { reason } });
      expect(editor.arrived).toEqual([]);
    }
  });

  it('is told of a gap, and then everything, when its place is behind the end of the log', async () => {
    const stage = await Stage.open();
    const { sessionId } = await told(stage);
    const editor = await stage.connect({ isRemote: true });
    const lastReceivedEventId = toCursor(sessionId as SessionId, 999_999);
    const answer = await resume(editor, sessionId, { lastReceivedEventId });
    expect(answer).toMatchObject({ status: 'gap', reason: 'future' });
    expect(editor.said).toEqual(['one', 'two', 'three', 'four']);
  });

  it('is asked again for what still waits for an answer', async () => {
    const stage = await Stage.open();
    const first = await stage.connect({ isRemote: true });
    const sessionId = await first.newSession(stage.folder);
    const prompted = first.prompt(sessionId, script(say('before'), ask()));
    prompted.catch(() => undefined);
    await first.untilAsked();
    const [last] = placed(first).slice(-1);
    await first.server.close();
    const second = await stage.connect({ isRemote: true });
    await resume(second, sessionId, { lastReceivedEventId: last?.cursor });
    await second.untilAsked();
    expect(second.arrived).toEqual([]);
  });

  it('needs all params for anything but this short form', async () => {
    const stage = await Stage.open();
    const { sessionId } = await told(stage);
    const editor = await stage.connect();
    const error = await errorOf(resume(editor, sessionId, {}));
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('cwd') as string,
    });
  });
});

describe('the proposal for durable transports', () => {
  it('is announced, and resumes a stream behind a cursor', async () => {
    const stage = await Stage.open();
    const { sessionId, whole } = await told(stage);
    const editor = await stage.connect({ isRemote: true });
    const { agentCapabilities } = editor.connection.agent ?? {};
    expect(agentCapabilities?._meta?.['transport']).toHaveProperty('resumable');
    const params = { sessionId, cursor: whole[1]?.cursor };
    const { result } = await editor.connection.requestOther('stream/resume', params);
    expect(result).toMatchObject({ status: 'resumed' });
    await editor.until(() => editor.arrived.length >= whole.length - 2);
    expect(placed(editor)).toEqual(whole.slice(2));
  });

  it('never goes on silently from somewhere else', async () => {
    const stage = await Stage.open();
    const { sessionId } = await told(stage);
    const editor = await stage.connect({ isRemote: true });
    const params = { sessionId, cursor: 'c1.nothing' };
    const refused = await errorOf(editor.connection.requestOther('stream/resume', params));
    expect(refused).toMatchObject({ code: -32602, data: { reason: 'cursor_malformed' } });
    expect(editor.frames.some((frame) => frame.includes('stream/resume_failed'))).toBe(true);
  });
});

describe('bursts', () => {
  it('come as one update to a client that asked for that, with the place behind all of them', async () => {
    const stage = await Stage.open();
    const sessionId = await stage.connect().then(async (driver) => {
      const id = await driver.newSession(stage.folder);
      await driver.prompt(id, script(...Array.from({ length: 100 }, (_, i) => say(`${i} `))));
      return id;
    });
    const _meta = { signalbox: { merge: true } };
    const editor = await stage.connect({ isRemote: true, capabilities: { _meta } });
    const lastReceivedEventId = toCursor(sessionId as SessionId, 2);
    await resume(editor, sessionId, { lastReceivedEventId });
    const all = Array.from({ length: 100 }, (_, i) => `${i} `).join('');
    await editor.until(() => editor.said.join('') === all);
    expect(editor.said.length).toBeLessThan(10);
    const events = await stage.events(sessionId);
    const last = events.findLastIndex(({ type }) => type === 'update') + 1;
    expect(placed(editor).at(-1)?.cursor).toBe(toCursor(sessionId as SessionId, last));
  });
});

describe('a stream that was lost while its connection lives', () => {
  it('is told again behind any place, with nothing in between', async () => {
    const stage = await Stage.open();
    const driver = await stage.connect();
    const sessionId = await driver.newSession(stage.folder);
    const watcher = await stage.connect({ isRemote: true });
    await watcher.connection.request('session/resume', { sessionId, cwd: stage.folder });
    await driver.prompt(sessionId, [...PROMPT]);
    await watcher.untilSaid('three');
    const whole = placed(watcher);
    for (const [index, { cursor }] of whole.entries()) {
      watcher.clear();
      const begin = await watcher.server.rewind(sessionId, cursor);
      expect(watcher.arrived).toEqual([]);
      begin();
      const rest = whole.slice(index + 1);
      await watcher.until(() => watcher.arrived.length >= rest.length);
      expect(placed(watcher)).toEqual(rest);
    }
  });

  it('cannot be told behind a place that is none', async () => {
    const stage = await Stage.open();
    const watcher = await stage.connect({ isRemote: true });
    const sessionId = await watcher.newSession(stage.folder);
    await expect(async () => watcher.server.rewind(sessionId, 'x')).rejects.toMatchObject({
      data: { reason: 'cursor_malformed' },
    });
    const foreign = toCursor('other' as SessionId, 1);
    await expect(async () => watcher.server.rewind(sessionId, foreign)).rejects.toMatchObject({
      data: { reason: 'cursor_foreign' },
    });
    const behindTheEnd = toCursor(sessionId as SessionId, 999_999);
    await expect(watcher.server.rewind(sessionId, behindTheEnd)).rejects.toMatchObject({
      data: { reason: 'cursor_gap' },
    });
  });
});

describe('updates', () => {
  it('carry a cursor where the client may lose them, and only there', async () => {
    const stage = await Stage.open();
    const local = await stage.connect();
    const asking = await stage.connect({
      capabilities: { _meta: { signalbox: { cursors: true } } },
    });
    for (const [editor, has] of [
      [local, false],
      [asking, true],
    ] as const) {
      const sessionId = await editor.newSession(stage.folder);
      await editor.prompt(sessionId, script(say('hi')));
      expect(placed(editor).every(({ cursor }) => (cursor !== '') === has)).toBe(true);
    }
  });
});
