import { randomUUID } from 'node:crypto';
import type { McpServer } from '@signalbox/acp';
import { expect, test } from 'vitest';
import type { AgentOptions } from '../agent.ts';
import { TestClient, type TestSession, select } from '../testing/client.ts';
import { mcpServer } from '../testing/mcp.ts';
import { gone, processesWith } from '../testing/processes.ts';
import { createScratch } from '../testing/scratch.ts';

interface Setup {
  readonly mode?: string;
  readonly takesNotices?: boolean;
  readonly options?: AgentOptions;
}

async function connect({ takesNotices = false, options = {} }: Setup = {}): Promise<TestClient> {
  const client = new TestClient({ connection: { drainMs: 50 }, ...options });
  const session = takesNotices ? { notices: {} } : {};
  await client.connection.initialize({ clientCapabilities: { session } });
  return client;
}

async function open(
  cwd: string,
  mcpServers: McpServer[],
  setup: Setup = {},
): Promise<TestSession & AsyncDisposable> {
  const client = await connect(setup);
  const session = await client.openSession({ cwd, mcpServers }, setup.mode ?? 'auto');
  return Object.assign(session, { [Symbol.asyncDispose]: () => client.agent.close() });
}

const ECHO = { tool: 'mcp__good__echo', input: { text: 'hello' } };

test('a script calls a tool of a server, also if another server is broken', async () => {
  await using scratch = await createScratch();
  const lines: string[] = [];
  const options = { log: (line: string) => lines.push(line) };
  const servers = [mcpServer('exit', 'broken'), mcpServer('good')];
  await using session = await open(scratch.path, servers, { options, takesNotices: true });
  expect(await session.script(ECHO)).toEqual({ stopReason: 'end_turn' });
  expect(session.updates('tool_call')).toMatchObject([
    {
      name: ECHO.tool,
      kind: 'other',
      title: 'Say it again',
      status: 'pending',
      rawInput: ECHO.input,
    },
  ]);
  const content = [{ type: 'content', content: { type: 'text', text: 'echo hello' } }];
  expect(session.updates('tool_call_update').at(-1)).toMatchObject({
    status: 'completed',
    content,
    rawOutput: { content: [{ type: 'text', text: 'echo hello' }] },
  });
  const reason = 'it ended before it was ready (exit code 3: no licence)';
  expect(lines).toEqual([`MCP server "broken" could not be started: ${reason}`]);
  expect(session.updates('notice')).toMatchObject([
    {
      severity: 'warning',
      title: 'The tools of the MCP server "broken" are not available',
      description: `The server could not be started: ${reason}`,
    },
  ]);
});

test('the model is told of the tools and gets their results', async () => {
  await using scratch = await createScratch();
  const seen: unknown[] = [];
  const model: NonNullable<AgentOptions['model']> = {
    async *respond({ messages, tools }) {
      const last = messages.at(-1);
      if (last?.role === 'tool') {
        seen.push(last.results[0]);
        yield { kind: 'stop', reason: 'end' };
        return;
      }
      seen.push(tools.find(({ name }) => name === ECHO.tool));
      yield await Promise.resolve({
        kind: 'tool_call',
        id: '1',
        name: ECHO.tool,
        input: ECHO.input,
      });
      yield { kind: 'stop', reason: 'tool_calls' };
    },
  };
  await using session = await open(scratch.path, [mcpServer('good')], { options: { model } });
  await session.prompt('go');
  expect(seen).toMatchObject([
    { description: 'The tool echo', inputSchema: { type: 'object' } },
    { callId: '1', isError: false, text: 'echo hello' },
  ]);
});

test('a client that did not announce notices gets none', async () => {
  await using scratch = await createScratch();
  await using session = await open(scratch.path, [mcpServer('exit')]);
  expect(await session.script({ say: 'a' })).toEqual({ stopReason: 'end_turn' });
  expect(session.updates('notice')).toEqual([]);
});

test('two servers of one name can both be used', async () => {
  await using scratch = await createScratch();
  await using session = await open(scratch.path, [mcpServer('good'), mcpServer('noisy', 'good')]);
  const tools = [ECHO, { ...ECHO, tool: 'mcp__good_2__echo' }];
  await session.script({ tools });
  expect(Object.values(session.statuses).map((all) => all.at(-1))).toEqual([
    'completed',
    'completed',
  ]);
});

test('a tool that fails, does not exist or gets no object fails its call, and the turn goes on', async () => {
  await using scratch = await createScratch();
  await using session = await open(scratch.path, [mcpServer('good')]);
  const tools = [
    { tool: 'mcp__good__fail' },
    { tool: 'mcp__good__none' },
    { tool: ECHO.tool, input: 7 },
    { tool: 'mcp__good__crash' },
    ECHO,
  ];
  expect(await session.script({ tools })).toEqual({ stopReason: 'end_turn' });
  const ends = session.updates('tool_call_update').filter(({ status }) => status === 'failed');
  expect(ends.length).toBe(5);
  expect(JSON.stringify(ends[0])).toContain('it failed');
});

test('the mode ask asks before a tool runs, and plan refuses it', async () => {
  await using scratch = await createScratch();
  await using session = await open(scratch.path, [mcpServer('good')], { mode: 'ask' });
  session.client.answer = select('reject_once');
  await session.script(ECHO);
  session.client.answer = select('allow_always');
  await session.script(ECHO, ECHO);
  await session.prompt('/mode plan');
  await session.script(ECHO);
  expect(session.client.permissions.length).toBe(2);
  expect(session.client.permissions[0]?.toolCall).toMatchObject({
    title: 'Say it again',
    kind: 'other',
    rawInput: ECHO.input,
  });
  const ends = Object.values(session.statuses).map((all) => all.at(-1));
  expect(ends).toEqual(['failed', 'completed', 'completed', 'failed']);
});

test('a cancel ends a call at once, and the server is told', async () => {
  await using scratch = await createScratch();
  await using session = await open(scratch.path, [mcpServer('good')]);
  const turn = session.script({ tool: 'mcp__good__wait' });
  await session.until('tool_call_update', ({ status }) => status === 'in_progress');
  session.cancel();
  expect(await turn).toEqual({ stopReason: 'cancelled' });
  expect(session.statuses).toEqual({ 'tool-1': ['pending', 'in_progress', 'failed'] });
  await session.script({ tool: 'mcp__good__cancelled' });
  expect(session.updates('tool_call_update').at(-1)?.rawOutput).toMatchObject({
    structuredContent: { cancelled: [expect.any(Number)] },
  });
});

test('servers end with their session', async () => {
  await using scratch = await createScratch();
  const mark = `session-${randomUUID()}`;
  await using session = await open(scratch.path, [mcpServer('stubborn', 'a', [mark])]);
  expect((await processesWith(mark)).length).toBeGreaterThan(0);
  await session.client.connection.request('session/close', { sessionId: session.id });
  await gone(mark);
});

test('servers end with the connection, also those that are still starting', async () => {
  await using scratch = await createScratch();
  const mark = `connection-${randomUUID()}`;
  const cwd = scratch.path;
  await using session = await open(cwd, [mcpServer('stubborn', 'a', [mark])]);
  const { client } = session;
  const mcpServers = [mcpServer('hang', 'b', [mark]), mcpServer('good', 'c', [mark])];
  const opening = client.openSession({ cwd, mcpServers }).catch((error: unknown) => error);
  // Answered after the other request was taken in, so by then its servers are being started.
  await session.script({ say: 'a' });
  await client.connection.close();
  await client.agent.closed;
  expect(await opening).toMatchObject({ code: 'closed' });
  await gone(mark);
});

test('a request for a session that is cancelled leaves no server', async () => {
  await using scratch = await createScratch();
  const client = await connect();
  const mark = `cancelled-${randomUUID()}`;
  const abort = new AbortController();
  const params = { cwd: scratch.path, mcpServers: [mcpServer('hang', 'a', [mark])] };
  const opening = client.connection.request('session/new', params, { signal: abort.signal });
  abort.abort();
  await expect(opening).rejects.toMatchObject({ code: -32800 });
  await gone(mark);
  await client.agent.close();
});

test('a server of another kind is refused by name, and none is started', async () => {
  await using scratch = await createScratch();
  const client = await connect();
  const mark = `refused-${randomUUID()}`;
  const place = { name: 'far', url: 'http://localhost/', headers: [] };
  for (const type of ['http', 'sse'] as const) {
    const mcpServers = [mcpServer('good', 'a', [mark]), { type, ...place }];
    await expect(client.openSession({ cwd: scratch.path, mcpServers })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('"far"') as string,
    });
  }
  await gone(mark);
  await client.agent.close();
});
