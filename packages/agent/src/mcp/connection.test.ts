import { randomUUID } from 'node:crypto';
import type { McpServerStdio } from '@signalbox/acp';
import { expect, test } from 'vitest';
import { mcpServer } from '../testing/mcp.ts';
import { gone, processesWith } from '../testing/processes.ts';
import { createScratch } from '../testing/scratch.ts';
import { connectMcpServer, type McpConnection } from './connection.ts';

const { signal } = new AbortController();

function connect(server: McpServerStdio, cwd = '/', startMsMax?: number): Promise<McpConnection> {
  const limit = startMsMax === undefined ? {} : { startMsMax };
  return connectMcpServer(server, { cwd, signal, ...limit });
}

test('a server gets its arguments, variables and folder exactly, and no other variables', async () => {
  await using scratch = await createScratch();
  const env = [
    { name: 'EMPTY', value: '' },
    { name: 'lower', value: ' a "b" $HOME ' },
    { name: 'HOME', value: '/elsewhere' },
  ];
  const args = ['', 'a b', '$HOME', '*', '"'];
  process.env['SIGNALBOX_TEST_SECRET'] = 'secret';
  const connection = await connect(mcpServer('good', 'a', args, env), scratch.path);
  const { structuredContent } = await connection.call('surroundings', {}, signal);
  await connection.close();
  delete process.env['SIGNALBOX_TEST_SECRET'];
  expect(structuredContent).toMatchObject({
    args: ['good', ...args],
    env: { EMPTY: '', lower: ' a "b" $HOME ', HOME: '/elsewhere', PATH: process.env['PATH'] },
    cwd: scratch.path,
  });
  expect(JSON.stringify(structuredContent)).not.toContain('secret');
});

test('a server that prints other things and complains a lot can be used', async () => {
  const connection = await connect(mcpServer('noisy'));
  expect(await connection.call('echo', { text: 'a' }, signal)).toMatchObject({
    content: [{ type: 'text', text: 'echo a' }],
  });
  await connection.close();
});

test('a server without tools has none', async () => {
  const connection = await connect(mcpServer('toolless'));
  expect(connection.tools).toEqual([]);
  await connection.close();
});

test('a server that is not ready in time is given up and ended', async () => {
  const mark = `hang-${randomUUID()}`;
  const connecting = connect(mcpServer('hang', 'a', [mark]), '/', 300);
  await expect(connecting).rejects.toThrow('it was not ready within 300 ms');
  await gone(mark);
});

test('a server that ends at once is reported with its exit code and last line', async () => {
  const text = 'it ended before it was ready (exit code 3: no licence)';
  await expect(connect(mcpServer('exit'))).rejects.toThrow(text);
});

test('a program that does not exist is named', async () => {
  const server = { name: 'a', command: '/no/such/program', args: [], env: [] };
  await expect(connect(server)).rejects.toThrow('/no/such/program');
});

test('a server that does not end when asked to is killed, with a child in another group', async () => {
  const mark = `stubborn-${randomUUID()}`;
  const connection = await connect(mcpServer('stubborn', 'a', [mark]));
  expect((await processesWith(mark)).length).toBeGreaterThan(1);
  await connection.close();
  await gone(mark);
});

test('a server that ends during a call fails the call and those after it, and tells', async () => {
  const connection = await connect(mcpServer('good'));
  const told = new Promise<string>((resolve) => connection.onEnd(resolve));
  await expect(connection.call('crash', {}, signal)).rejects.toThrow();
  expect(await told).toBe('exit code 4: the last words');
  const text = 'the MCP server has ended (exit code 4: the last words)';
  await expect(connection.call('echo', {}, signal)).rejects.toThrow(text);
});
