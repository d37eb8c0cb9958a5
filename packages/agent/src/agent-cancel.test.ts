import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { gone } from './testing/processes.ts';
import { createScratch } from './testing/scratch.ts';
import { TestClient, toScript } from './testing/client.ts';

test('a cancel ends a model that is waited for, and the next prompt works', async () => {
  await using scratch = await createScratch();
  const session = await TestClient.open(scratch.path);
  const turn = session.script({ say: 'a' }, { wait: true });
  await session.until('agent_message_chunk');
  session.cancel();
  expect(await turn).toEqual({ stopReason: 'cancelled' });
  expect(await session.script({ say: 'b' })).toEqual({ stopReason: 'end_turn' });
});

test('a cancel right behind the prompt is not lost', async () => {
  await using scratch = await createScratch();
  const session = await TestClient.open(scratch.path);
  const turn = session.script({ wait: true });
  session.cancel();
  expect(await turn).toEqual({ stopReason: 'cancelled' });
});

test('a cancel ends a long answer', async () => {
  await using scratch = await createScratch();
  const session = await TestClient.open(scratch.path);
  const turn = session.script({ say: 'x', repeat: 1_000_000 });
  await session.until('agent_message_chunk');
  session.cancel();
  expect(await turn).toEqual({ stopReason: 'cancelled' });
  expect(session.updates('agent_message_chunk').length).toBeLessThan(1_000_000);
});

test('a cancel kills a command with all it started, and leaves no call open', async () => {
  await using scratch = await createScratch();
  const session = await TestClient.open(scratch.path);
  const mark = `cancel-${randomUUID()}`;
  const command = `sh -c 'sleep 300; : ${mark}' & sleep 300; : ${mark}`;
  const tools = [
    { tool: 'execute', input: { command } },
    { tool: 'execute', input: { command: 'touch after' } },
  ];
  const turn = session.script({ tools }, { say: 'not reached' });
  await session.until('tool_call_update', ({ status }) => status === 'in_progress');
  session.cancel();
  expect(await turn).toEqual({ stopReason: 'cancelled' });
  expect(session.statuses).toEqual({
    'tool-1': ['pending', 'in_progress', 'failed'],
    'tool-2': ['pending', 'failed'],
  });
  expect(session.said).toBe('');
  await gone(mark);
  expect(await readdir(scratch.path)).toEqual([]);
});

test('a cancel does not wait for a permission that is never answered', async () => {
  await using scratch = await createScratch();
  const session = await TestClient.open(scratch.path, {}, 'ask');
  session.client.answer = () => new Promise(() => undefined);
  const turn = session.prompt('create f with `x`');
  await session.client.until(() => session.client.permissions.length > 0);
  session.cancel();
  expect(await turn).toEqual({ stopReason: 'cancelled' });
  expect(session.statuses).toEqual({ 'tool-1': ['pending', 'failed'] });
  expect(await readdir(scratch.path)).toEqual([]);
});

test('a cancel beats a permission that is given at the same time', async () => {
  await using scratch = await createScratch();
  const session = await TestClient.open(scratch.path, {}, 'ask');
  session.client.answer = () => {
    session.cancel();
    return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
  };
  expect(await session.prompt('create f with `x`')).toEqual({ stopReason: 'cancelled' });
  expect(await readdir(scratch.path)).toEqual([]);
});

test('a cancel without a turn does nothing, also to the next turn', async () => {
  await using scratch = await createScratch();
  const session = await TestClient.open(scratch.path);
  session.cancel();
  expect(await session.script({ say: 'a' })).toEqual({ stopReason: 'end_turn' });
});

test('cancelling the request itself ends the turn as well', async () => {
  await using scratch = await createScratch();
  const session = await TestClient.open(scratch.path);
  const abort = new AbortController();
  const prompt = [{ type: 'text', text: toScript({ say: 'a' }, { wait: true }) } as const];
  const request = { sessionId: session.id, prompt };
  const { connection } = session.client;
  const turn = connection.request('session/prompt', request, { signal: abort.signal });
  await session.until('agent_message_chunk');
  abort.abort();
  expect(await turn).toEqual({ stopReason: 'cancelled' });
});

test('the end of the connection ends turns and commands', async () => {
  await using scratch = await createScratch();
  const session = await TestClient.open(scratch.path, { connection: { drainMs: 50 } });
  const mark = `closed-${randomUUID()}`;
  const turn = session.prompt(`run \`sleep 300; : ${mark}\``).catch((error: unknown) => error);
  await session.until('tool_call_update', ({ status }) => status === 'in_progress');
  await session.client.connection.close();
  await session.client.agent.closed;
  expect(await turn).toMatchObject({ code: 'closed' });
  await gone(mark);
});
