import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { ClientConnection, type McpServer, type SessionUpdate } from '@signalbox/acp';
import { createStdioTransport } from '@signalbox/acp/stdio';
import { expect, test } from 'vitest';
import { serveAgent } from './serve.ts';
import { toScript } from './testing/client.ts';
import { mcpServer } from './testing/mcp.ts';
import { gone, processesWith } from './testing/processes.ts';
import { createScratch } from './testing/scratch.ts';

const INDEX = new URL('./index.ts', import.meta.url).href;
const PROGRAM = `
import { serveAgent } from ${JSON.stringify(INDEX)};
process.on('SIGUSR2', () => process.exit(3));
await serveAgent({ input: process.stdin, output: process.stdout });
console.error('left');
`;

interface Served {
  readonly child: ChildProcess;
  readonly connection: ClientConnection;
  readonly sessionId: string;
  readonly begun: Promise<void>;
}

/** An agent in a process of its own, with a session in the mode auto. */
async function start(cwd: string, mcpServers: McpServer[] = []): Promise<Served> {
  const args = ['--conditions=@signalbox/source', '--input-type=module', '--eval', PROGRAM];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const connection = new ClientConnection(createStdioTransport(child.stdout, child.stdin), {
    requests: {},
    notifications: {
      'session/update': ({ update }: { update: SessionUpdate }) => {
        if (update.sessionUpdate === 'tool_call_update' && update.status === 'in_progress') begin();
      },
    },
  });
  await connection.initialize({ clientCapabilities: {} });
  const { sessionId } = await connection.request('session/new', { cwd, mcpServers });
  await connection.request('session/set_mode', { sessionId, modeId: 'auto' });
  return { child, connection, sessionId, begun };
}

function promptText(sessionId: string, text: string) {
  return { sessionId, prompt: [{ type: 'text', text } as const] };
}

test('the end of stdin ends a running command and then the process', async () => {
  await using scratch = await createScratch();
  const { child, connection, sessionId, begun } = await start(scratch.path);
  const errors: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const mark = `eof-${randomUUID()}`;
  const text = `run \`sh -c 'sleep 300; : ${mark}' & sleep 300; : ${mark}\``;
  connection.request('session/prompt', promptText(sessionId, text)).catch(() => undefined);
  await begun;
  const running = (await processesWith(mark)).length;
  child.stdin?.end();
  const [code] = (await once(child, 'close')) as [number];
  expect(running).toBeGreaterThan(0);
  expect(code).toBe(0);
  expect(errors.join('')).toContain('left');
  await gone(mark);
});

test('the end of stdin ends the MCP servers and what they started, and then the process', async () => {
  await using scratch = await createScratch();
  const mark = `mcp-eof-${randomUUID()}`;
  const servers = [mcpServer('stubborn', 'a', [mark]), mcpServer('toolless', 'b', [mark])];
  const { child, connection, sessionId, begun } = await start(scratch.path, servers);
  const text = toScript({ tool: 'mcp__a__wait' });
  connection.request('session/prompt', promptText(sessionId, text)).catch(() => undefined);
  await begun;
  expect((await processesWith(mark)).length).toBeGreaterThan(1);
  child.stdin?.end();
  expect(await once(child, 'close')).toEqual([0, null]);
  await gone(mark);
});

test('a command does not outlive an agent that exits without being asked to', async () => {
  await using scratch = await createScratch();
  const { child, connection, sessionId, begun } = await start(scratch.path);
  const mark = `exit-${randomUUID()}`;
  const text = toScript({ tool: 'execute', input: { command: `sleep 300; : ${mark}` } });
  connection.request('session/prompt', promptText(sessionId, text)).catch(() => undefined);
  await begun;
  child.kill('SIGUSR2');
  expect(await once(child, 'exit')).toEqual([3, null]);
  await gone(mark);
});

test('its signal ends the connection from this side', async () => {
  const abort = new AbortController();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveAgent({ input, output, signal: abort.signal });
  abort.abort();
  await served;
  expect(output.writableEnded).toBe(true);
});
