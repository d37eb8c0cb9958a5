import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContentBlock, SessionUpdate } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import type { Model } from './model/model.ts';
import { createScratch } from './testing/scratch.ts';
import { TestClient, toScript } from './testing/client.ts';

describe('setting up', () => {
  test('announces what it has and nothing else', async () => {
    const client = new TestClient();
    const { result } = await client.connection.initialize({ clientCapabilities: {} });
    expect(result.agentInfo).toMatchObject({ name: 'signalbox-agent' });
    expect(result.agentCapabilities).toMatchObject({
      loadSession: false,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
    });
  });

  test('has the version of its package', async () => {
    const client = new TestClient();
    const { result } = await client.connection.initialize({ clientCapabilities: {} });
    const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    expect(result.agentInfo?.version).toBe(version);
  });

  test('tells its commands after the response that names the session', async () => {
    await using scratch = await createScratch();
    const client = new TestClient();
    await client.connection.initialize({ clientCapabilities: {} });
    const order: string[] = [];
    const waiting = client
      .until(() => client.arrived.length > 0)
      .then(() => order.push('commands'));
    await client.openSession({ cwd: scratch.path, mcpServers: [] }, 'ask');
    order.push('response');
    await waiting;
    expect(order).toEqual(['response', 'commands']);
    expect(client.arrived).toMatchObject([
      { update: { sessionUpdate: 'available_commands_update' } },
    ]);
  });

  test('refuses a session that it could not serve as asked', async () => {
    await using scratch = await createScratch();
    const client = new TestClient();
    await client.connection.initialize({ clientCapabilities: {} });
    const cwd = scratch.path;
    const server = { type: 'http' as const, name: 'a', url: 'http://localhost/a', headers: [] };
    const requests = [
      { cwd: '.', mcpServers: [] },
      { cwd: join(cwd, 'none'), mcpServers: [] },
      { cwd, additionalDirectories: ['relative'], mcpServers: [] },
      { cwd, mcpServers: [server] },
    ];
    for (const request of requests) {
      await expect(client.connection.request('session/new', request)).rejects.toMatchObject({
        code: -32602,
      });
    }
  });

  test('answers for a session that does not exist with -32002', async () => {
    const client = new TestClient();
    await client.connection.initialize({ clientCapabilities: {} });
    const request = { sessionId: 'none', prompt: [{ type: 'text', text: 'x' } as const] };
    await expect(client.connection.request('session/prompt', request)).rejects.toMatchObject({
      code: -32002,
      data: { sessionId: 'none' },
    });
  });
});

describe('a turn', () => {
  test('sends every update before the response', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path);
    await session.script({ say: 'x', repeat: 500 }, { tool: 'list' }, { say: 'end' });
    expect(session.client.arrived.at(-1)).toEqual({ answered: session.id });
    expect(session.said).toBe(`${'x'.repeat(500)}end`);
    expect(session.updates('agent_message_chunk').length).toBe(501);
    expect(session.updates('usage_update')).toMatchObject([{ size: 128_000 }]);
  });

  const ENDS = [
    { steps: [{ say: 'a' }], limits: {}, stopReason: 'end_turn' },
    { steps: [{ stop: 'refusal' }], limits: {}, stopReason: 'refusal' },
    { steps: [{ say: 'a' }, { stop: 'length' }], limits: {}, stopReason: 'max_tokens' },
    { steps: [{ say: 'a', repeat: 9 }], limits: { outputTokensMax: 2 }, stopReason: 'max_tokens' },
    {
      steps: [{ tool: 'list' }, { tool: 'list' }, { say: 'a' }],
      limits: { requestsMax: 2 },
      stopReason: 'max_turn_requests',
    },
  ];
  test.each(ENDS)('ends as $stopReason after $steps', async ({ steps, limits, stopReason }) => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path, { limits });
    expect(await session.script(...steps)).toEqual({ stopReason });
    expect(await session.script({ say: 'next' })).toEqual({ stopReason: 'end_turn' });
  });

  test('reports a failing model as an error, and the session goes on', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path);
    await expect(session.script({ tool: 'list' }, { error: 'no service' })).rejects.toMatchObject({
      code: -32603,
      message: 'The model failed: no service',
    });
    await expect(session.prompt(toScript({ nonsense: 1 }))).rejects.toMatchObject({
      message: expect.stringContaining('the script is wrong: step 1') as string,
    });
    expect(await session.script({ say: 'fine' })).toEqual({ stopReason: 'end_turn' });
  });

  test('gives each message one id, and thoughts another', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path);
    await session.script(
      { think: 'a', repeat: 2 },
      { say: 'b', repeat: 2 },
      { tool: 'list' },
      { say: 'c' },
    );
    await session.script({ say: 'd' });
    const thoughts = session.updates('agent_thought_chunk').map(({ messageId }) => messageId);
    const said = session.updates('agent_message_chunk').map(({ messageId }) => messageId);
    expect(thoughts).toEqual(['message-1', 'message-1']);
    expect(said).toEqual(['message-2', 'message-2', 'message-3', 'message-4']);
  });

  test('shows a plan as a plan, whole each time, and not as a tool call', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path);
    await session.prompt('list. think a');
    const plans = session.updates('plan').map(({ entries }) => entries.map(({ status }) => status));
    expect(plans).toEqual([
      ['in_progress', 'pending'],
      ['completed', 'in_progress'],
      ['completed', 'completed'],
    ]);
    expect(session.updates('tool_call').map(({ name }) => name)).toEqual(['list', 'think']);
  });

  test('reports a change from pending to completed, with its diff and its data', async () => {
    await using scratch = await createScratch({ f: 'a' });
    const session = await TestClient.open(scratch.path);
    const input = { path: 'f', oldText: 'a', newText: 'b' };
    await session.script({ tool: 'edit', input });
    const path = join(scratch.path, 'f');
    const diff = { type: 'diff', path, oldText: 'a', newText: 'b' };
    expect(session.updates('tool_call')).toMatchObject([
      { name: 'edit', kind: 'edit', status: 'pending', rawInput: input },
    ]);
    expect(session.updates('tool_call_update')).toMatchObject([
      { status: 'in_progress', title: 'Edit f', locations: [{ path, line: 1 }], content: [diff] },
      { status: 'completed', content: [diff], rawOutput: { path, line: 1, count: 1 } },
    ]);
  });

  test('goes on after a tool that does not exist or cannot take its input', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path);
    const tools = [{ tool: 'teleport' }, { tool: 'read', input: { path: 7 } }];
    expect(await session.script({ tools }, { say: 'on' })).toEqual({ stopReason: 'end_turn' });
    expect(Object.values(session.statuses)).toEqual([
      ['pending', 'failed'],
      ['pending', 'failed'],
    ]);
  });

  test('refuses a second prompt while one runs, and the first goes on', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path);
    const first = session.script({ say: 'a' }, { wait: true });
    await session.until('agent_message_chunk');
    await expect(session.script({ say: 'b' })).rejects.toMatchObject({ code: -32600 });
    session.cancel();
    expect(await first).toEqual({ stopReason: 'cancelled' });
  });
});

describe('prompts', () => {
  async function promptWith(cwd: string, ...prompt: ContentBlock[]): Promise<string> {
    const session = await TestClient.open(cwd);
    const request = { sessionId: session.id, prompt };
    await session.client.connection.request('session/prompt', request);
    return session.said;
  }

  test('may hold links and embedded resources', async () => {
    await using scratch = await createScratch({ 'a b.txt': 'hello' });
    const uri = pathToFileURL(join(scratch.path, 'a b.txt')).href;
    const link: ContentBlock = { type: 'resource_link', uri, name: 'a b.txt' };
    expect(await promptWith(scratch.path, { type: 'text', text: 'read it' }, link)).toContain(
      'hello',
    );
    const resource: ContentBlock = { type: 'resource', resource: { uri: 'x:/y', text: 'inside' } };
    expect(await promptWith(scratch.path, { type: 'text', text: 'read this' }, resource)).toContain(
      'inside',
    );
  });

  test('are refused when they are empty or hold what was not announced', async () => {
    await using scratch = await createScratch();
    const image: ContentBlock = { type: 'image', data: '', mimeType: 'image/png' };
    await expect(promptWith(scratch.path)).rejects.toMatchObject({ code: -32602 });
    await expect(promptWith(scratch.path, image)).rejects.toMatchObject({ code: -32602 });
  });

  test('that are no instructions get an answer in words', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path);
    expect(await session.prompt('Write me a poem')).toEqual({ stopReason: 'end_turn' });
    expect(session.said).toContain('mechanical work only');
    expect(session.updates('tool_call')).toEqual([]);
  });

  test('that begin with a command are answered without the model', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path);
    expect(await session.prompt('/help')).toEqual({ stopReason: 'end_turn' });
    expect(session.said).toContain('/mode');
    await session.prompt('/mode plan');
    expect(session.updates('current_mode_update').at(-1)?.currentModeId).toBe('plan');
    expect(await session.prompt('/mode wild')).toEqual({ stopReason: 'end_turn' });
    expect(await session.prompt('/tmp is a path')).toEqual({ stopReason: 'end_turn' });
  });

  test('stop at the first instruction that fails', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path);
    await session.prompt('read none.txt\ncreate f with `x`');
    expect(session.said).toContain('I stopped here; 1 more not done');
    expect(session.updates('tool_call').map(({ name }) => name)).toEqual(['read']);
  });
});

describe('sessions', () => {
  test('are independent: one is cancelled, the other goes on with its own files', async () => {
    await using one = await createScratch({ f: 'first' });
    await using two = await createScratch({ f: 'second' });
    const a = await TestClient.open(one.path);
    const b = await a.client.openSession({ cwd: two.path, mcpServers: [] });
    const waiting = a.script({ say: 'a' }, { wait: true });
    await a.until('agent_message_chunk');
    await b.prompt('read f');
    expect(b.said).toContain('second');
    const other = b.script({ say: 'b' }, { wait: true });
    a.cancel();
    expect(await waiting).toEqual({ stopReason: 'cancelled' });
    b.cancel();
    expect(await other).toEqual({ stopReason: 'cancelled' });
  });

  test('may use additional directories', async () => {
    await using other = await createScratch({ f: 'more' });
    await using scratch = await createScratch();
    const client = new TestClient();
    await client.connection.initialize({ clientCapabilities: {} });
    const additionalDirectories = [other.path];
    const session = await client.openSession({
      cwd: scratch.path,
      additionalDirectories,
      mcpServers: [],
    });
    await session.prompt(`read ${join(other.path, 'f')}`);
    expect(session.said).toContain('more');
  });

  test('cancel their turn when they are closed, and take no prompt after that', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path);
    const waiting = session.script({ say: 'a' }, { wait: true });
    await session.until('agent_message_chunk');
    await session.client.connection.request('session/close', { sessionId: session.id });
    expect(await waiting).toEqual({ stopReason: 'cancelled' });
    await expect(session.prompt('list')).rejects.toMatchObject({ code: -32002 });
  });

  test('forget a refused prompt, but remember those before', async () => {
    await using scratch = await createScratch();
    const seen: string[][] = [];
    const model: Model = {
      async *respond({ messages }) {
        const texts = messages.map((message) => (message.role === 'user' ? message.text : ''));
        seen.push(texts);
        const reason = texts.at(-1) === 'bad' ? 'refusal' : 'end';
        yield await Promise.resolve({ kind: 'stop', reason } as const);
      },
    };
    const session = await TestClient.open(scratch.path, { model });
    await session.prompt('good');
    expect(await session.prompt('bad')).toEqual({ stopReason: 'refusal' });
    await session.prompt('after');
    expect(seen.at(-1)).toEqual(['good', 'after']);
    const kinds = session.client.arrived.map((item) =>
      'answered' in item ? '' : (item.update satisfies SessionUpdate).sessionUpdate,
    );
    expect(kinds).not.toContain('usage_update');
  });
});
