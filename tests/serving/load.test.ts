import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { memberText } from '@signalbox/acp';
import { createMemoryJournal, toTranscript, type SessionId } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { errorOf, select } from './editor.ts';
import { ask, say, script, Stage, update } from './stage.ts';

const CHUNK = (kind: string, content: object): object => update({ sessionUpdate: kind, content });
const text = (value: string): object => ({ type: 'text', text: value });

const TOOL_CALLS = [
  '{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Edit","kind":"edit","status":"pending",' +
    '"rawInput":{"big":9007199254740993,"one":1.0},"_meta":{"tool":"Edit"},"future":[1.50]}',
  '{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"in_progress","rawInput":null,' +
    '"locations":[{"path":"/a","line":3,"x":1.0}],"_meta":{"step":2.0}}',
  '{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed","rawOutput":{"n":1e2},' +
    '"content":[{"type":"diff","path":"/a","oldText":null,"newText":"x","n":12345678901234567890}]}',
];
const MERGED =
  '{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Edit","kind":"edit","status":"completed",' +
  '"rawInput":{"big":9007199254740993,"one":1.0},"_meta":{"tool":"Edit","step":2.0},"future":[1.50],' +
  '"locations":[{"path":"/a","line":3,"x":1.0}],"rawOutput":{"n":1e2},' +
  '"content":[{"type":"diff","path":"/a","oldText":null,"newText":"x","n":12345678901234567890}]}';
const IMAGE = '{"type":"image","data":"aGk=","mimeType":"image/png","n":1.0}';
const PLAN =
  '{"sessionUpdate":"plan","entries":[{"content":"x","priority":"high","status":"pending","n":1.0}]}';
const COMMANDS =
  '{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"web","description":"d","n":1.0}]}';
const MODES =
  '{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask","n":1.0},{"id":"code","name":"Code"}]}';
const OPTIONS =
  '[{"type":"select","id":"m","name":"M","currentValue":"x","options":[{"value":"x","name":"X"}],"n":1.0}]';

const FIRST = script(
  update(COMMANDS),
  CHUNK('agent_thought_chunk', text('I ')),
  CHUNK('agent_thought_chunk', text('think')),
  ...TOOL_CALLS.map(update),
  say('It '),
  say('is done'),
  update(`{"sessionUpdate":"agent_message_chunk","content":${IMAGE}}`),
  update(PLAN),
  ask('c2'),
  update({ sessionUpdate: 'usage_update', used: 1, size: 9, cost: { amount: 1, currency: 'USD' } }),
  update({ sessionUpdate: 'usage_update', used: 5, size: 9 }),
  update('{"sessionUpdate":"future_thing","n":1.0}'),
  update({ sessionUpdate: 'session_info_update', title: 'My title' }),
  update({ sessionUpdate: 'notice', severity: 'info', title: 'only live' }),
  update({ sessionUpdate: 'current_mode_update', currentModeId: 'code' }),
);

const NEW_SESSION = `{"modes":${MODES},"configOptions":${OPTIONS}}`;

/** A session with two turns, made by an editor that is gone. */
async function history(stage: Stage): Promise<string> {
  const editor = await stage.connect({ onPermission: () => select('no') });
  const sessionId = await editor.newSession(stage.folder);
  await editor.prompt(sessionId, FIRST);
  await editor.prompt(sessionId, [
    { type: 'resource_link', uri: 'file:///x', name: 'x' },
    { type: 'text', text: 'second' },
  ]);
  await editor.connection.close();
  await editor.server.closed;
  return sessionId;
}

const STORY = [
  'available_commands_update',
  'usage_update',
  'session_info_update',
  'current_mode_update',
  'config_option_update',
  `user: ${FIRST}`,
  'thought: I think',
  'tool_call: c1 completed',
  'agent: It is done',
  'agent: (image)',
  'plan',
  'tool_call: c2 failed',
  'agent: {"outcome":"selected","optionId":"no"}',
  'future_thing',
  'user: (resource_link)',
  'user: second',
  'agent: second',
];

describe('session/load', () => {
  it('tells the whole conversation in order, each thing once, before it answers', async () => {
    const stage = await Stage.open({ env: { NEW_SESSION } });
    const sessionId = await history(stage);
    const editor = await stage.connect();
    await editor.load(sessionId, stage.folder);
    expect(editor.story).toEqual(STORY);
    expect(editor.arrived.every((item) => item.sessionId === sessionId)).toBe(true);
    expect(editor.frames.at(-1)).toContain('"result"');
  });

  it('tells the same as the transcript of the log', async () => {
    const stage = await Stage.open({ env: { NEW_SESSION } });
    const sessionId = await history(stage);
    const editor = await stage.connect();
    await editor.load(sessionId, stage.folder);
    const events = await stage.events(sessionId);
    const { entries } = toTranscript(events.map((event, index) => ({ seq: index + 1, event })));
    const told = entries.flatMap((entry) => {
      if (entry.kind === 'tool_call') return [`tool_call: ${entry.toolCallId}`];
      if (entry.kind === 'agent_message' || entry.kind === 'thought') {
        return entry.blocks.map((block) => (block.type === 'text' ? block.text : block.type));
      }
      return [];
    });
    const heard = editor.updates().flatMap((item) => {
      if (item.sessionUpdate === 'tool_call') return [`tool_call: ${item.toolCallId}`];
      if (
        item.sessionUpdate === 'agent_message_chunk' ||
        item.sessionUpdate === 'agent_thought_chunk'
      )
        return [item.content.type === 'text' ? item.content.text : item.content.type];
      return [];
    });
    expect(heard).toEqual(told);
  });

  it('keeps the exact texts of tool calls, blocks, plans, commands and prompts', async () => {
    const stage = await Stage.open({ env: { NEW_SESSION } });
    const sessionId = await history(stage);
    const editor = await stage.connect();
    await editor.load(sessionId, stage.folder);
    const texts = editor.arrived.map((item) => item.text);
    const call = texts.find((item) => item.includes('"c1"')) ?? '';
    expect(Object.keys(JSON.parse(call) as object).sort()).toEqual(
      Object.keys(JSON.parse(MERGED) as object).sort(),
    );
    for (const key of Object.keys(JSON.parse(MERGED) as object)) {
      expect(memberText(call, key)).toBe(memberText(MERGED, key));
    }
    expect(texts).toContain(PLAN);
    expect(texts).toContain(COMMANDS);
    expect(texts).toContain(`{"sessionUpdate":"agent_message_chunk","content":${IMAGE}}`);
    expect(texts).toContain('{"sessionUpdate":"future_thing","n":1.0}');
    expect(texts.find((item) => item.includes('usage'))).toContain('"cost":{"amount":1');
    expect(texts.find((item) => item.includes('usage'))).toContain('"used":5');
  });

  it('answers with modes and options as they stand', async () => {
    const stage = await Stage.open({ env: { NEW_SESSION } });
    const sessionId = await history(stage);
    const editor = await stage.connect();
    await editor.load(sessionId, stage.folder);
    const result = memberText(editor.frames.at(-1) ?? '', 'result') ?? '';
    expect(memberText(result, 'modes')).toBe(MODES.replace('"ask"', '"code"'));
    expect(memberText(result, 'configOptions')).toBe(OPTIONS);
  });

  it('needs no process, and the next prompt goes on', async () => {
    const journal = createMemoryJournal();
    const first = await Stage.open({ env: { NEW_SESSION }, journal });
    const sessionId = await history(first);
    await first.host.closeSession(sessionId as SessionId);
    const stage = await Stage.open({ env: { NEW_SESSION }, journal });
    const editor = await stage.connect();
    await editor.load(sessionId, first.folder);
    expect(editor.story).toEqual(STORY);
    expect(stage.starts).toEqual([]);
    editor.clear();
    expect(await editor.prompt(sessionId, 'third')).toEqual({ stopReason: 'end_turn' });
    expect(stage.starts).toHaveLength(1);
  });

  it('joins a turn that runs elsewhere, without a gap or a repeat', async () => {
    const stage = await Stage.open({ agent: 'streams-slowly' });
    const a = await stage.connect();
    const sessionId = await a.newSession(stage.folder);
    const running = a.prompt(sessionId, '300');
    const loads: Promise<void>[] = [];
    for (const at of [50, 100, 150]) {
      await a.untilSaid(`chunk ${at}`);
      const b = await stage.connect();
      loads.push(
        b.load(sessionId, stage.folder).then(async () => {
          await b.untilSaid('chunk 300');
          // The message so far came as a whole, and the rest as it was said.
          const expected = Array.from({ length: 300 }, (_, index) => `chunk ${index + 1}`).join('');
          expect(b.story[0]).toBe('user: 300');
          expect(b.said.join('')).toBe(expected);
          expect(b.said.length).toBeGreaterThan(100);
        }),
      );
    }
    await Promise.all([running, ...loads]);
    expect(a.said).toHaveLength(300);
    expect(a.story.every((word) => word.startsWith('agent: '))).toBe(true);
  });

  it('by a client that has the session open already tells everything once', async () => {
    const stage = await Stage.open({ agent: 'streams-slowly' });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const running = editor.prompt(sessionId, '100');
    await editor.untilSaid('chunk 20');
    const loaded = editor.load(sessionId, stage.folder);
    await editor.until(() => editor.story.includes('user: 100'));
    const from = editor.story.indexOf('user: 100');
    await Promise.all([running, loaded]);
    const expected = Array.from({ length: 100 }, (_, index) => `chunk ${index + 1}`).join('');
    const told = editor.story.slice(from + 1).map((word) => word.replace('agent: ', ''));
    expect(told.join('')).toBe(expected);
  });

  it('of an unknown session is an error that names it, and tells nothing', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    for (const method of ['session/load', 'session/resume'] as const) {
      const params = { sessionId: 'nonsense', cwd: stage.folder, mcpServers: [] };
      expect(await errorOf(editor.connection.request(method, params))).toMatchObject({
        code: -32002,
        data: { sessionId: 'nonsense' },
      });
    }
    expect(editor.arrived).toEqual([]);
  });

  it('takes another spelling of the folder, and refuses another folder', async () => {
    const stage = await Stage.open();
    const sessionId = await history(stage);
    const editor = await stage.connect();
    const link = join(stage.folder, 'link');
    const other = join(stage.folder, 'other');
    symlinkSync(stage.folder, link);
    mkdirSync(other);
    for (const method of ['session/load', 'session/resume'] as const) {
      const open = (cwd: string): Promise<unknown> =>
        editor.connection.request(method, { sessionId, cwd, mcpServers: [] });
      await open(link);
      for (const cwd of [other, '.', '/nonexistent']) {
        expect(await errorOf(open(cwd))).toMatchObject({ code: -32602 });
      }
    }
  });

  it('stops reading when its client has gone', async () => {
    const journal = createMemoryJournal();
    const stage = await Stage.open({ journal });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await editor.prompt(sessionId, script(...Array.from({ length: 2000 }, () => say('x'))));
    await editor.server.close();
    await stage.host.closeSession(sessionId as SessionId);
    const other = await stage.connect();
    const read = journal.read.bind(journal);
    let pages = 0;
    journal.read = async (stream, afterSeq, limit) => {
      // The pages of the whole log, of which there are several.
      if (limit === 512 && pages++ === 0) void other.server.close();
      return read(stream, afterSeq, limit);
    };
    await errorOf(other.load(sessionId, stage.folder));
    expect(pages).toBe(1);
  });

  it('of a session whose folder is gone says so', async () => {
    const stage = await Stage.open();
    const folder = join(stage.folder, 'soon gone');
    mkdirSync(folder);
    const editor = await stage.connect();
    const sessionId = await editor.newSession(folder);
    await editor.connection.request('session/close', { sessionId });
    rmSync(folder, { recursive: true });
    const error = await errorOf(editor.load(sessionId, folder));
    expect(error).toMatchObject({ code: -32602, data: { failure: 'cwd_invalid' } });
    expect(error.message).toContain('does not exist');
  });
});

describe('session/resume', () => {
  it('tells no history; how the session stands comes behind the answer', async () => {
    const stage = await Stage.open({ env: { NEW_SESSION } });
    const sessionId = await history(stage);
    const editor = await stage.connect();
    const params = { sessionId, cwd: stage.folder, mcpServers: [] };
    const answer = await editor.connection.request('session/resume', params);
    expect(editor.arrived).toEqual([]);
    expect(answer).toMatchObject({
      modes: { currentModeId: 'code' },
      configOptions: [{ id: 'm' }],
    });
    await editor.until(() => editor.story.includes('session_info_update'));
    expect(editor.story).toEqual(STORY.slice(0, 3));
    await editor.prompt(sessionId, 'third');
    expect(editor.said).toEqual(['third']);
  });
});

describe('a log that cannot be read', () => {
  it('fails the load, and leaves nothing open that would never be answered', async () => {
    const stage = await Stage.open();
    const sessionId = await history(stage);
    const { generation, seq } = await stage.journal.head(sessionId);
    await stage.host.closeSession(sessionId as SessionId);
    const head = (await stage.journal.head(sessionId)).seq;
    const at = { generation: generation + 1, expectedSeq: head };
    await stage.journal.append(sessionId, at, [{ body: 'no event' }]);
    expect(head).toBeGreaterThan(seq);
    const editor = await stage.connect();
    expect(await errorOf(editor.load(sessionId, stage.folder))).toMatchObject({ code: -32603 });
    expect(await errorOf(editor.prompt(sessionId, 'hello'))).toMatchObject({ code: -32002 });
  });
});
