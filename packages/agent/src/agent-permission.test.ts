import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RpcError } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import { createScratch } from './testing/scratch.ts';
import { select, TestClient, type Answer } from './testing/client.ts';

const CREATE = { tool: 'write', input: { path: 'f', text: 'x' } };

describe('in the mode ask', () => {
  test('a change is shown and asked for after it is announced and before it begins', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path, {}, 'ask');
    let statusesWhenAsked: unknown;
    session.client.answer = async (request) => {
      statusesWhenAsked = session.statuses;
      expect(await readdir(scratch.path)).toEqual([]);
      return select('allow_once')(request);
    };
    await session.script(CREATE);
    const [request] = session.client.permissions;
    const path = join(scratch.path, 'f');
    expect(statusesWhenAsked).toEqual({ 'tool-1': ['pending'] });
    expect(session.statuses).toEqual({ 'tool-1': ['pending', 'in_progress', 'completed'] });
    expect(request?.options.map(({ kind }) => kind)).toEqual([
      'allow_once',
      'allow_always',
      'reject_once',
    ]);
    expect(request?.toolCall).toMatchObject({
      toolCallId: 'tool-1',
      title: 'Create f',
      content: [{ type: 'diff', path, newText: 'x' }],
      rawInput: CREATE.input,
    });
  });

  test('reading is not asked for', async () => {
    await using scratch = await createScratch({ f: 'x' });
    const session = await TestClient.open(scratch.path, {}, 'ask');
    await session.prompt('read f. list. search x');
    expect(session.client.permissions).toEqual([]);
  });

  test('what is always allowed is asked for once per tool, and per session', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path, {}, 'ask');
    session.client.answer = select('allow_always');
    await session.prompt('create a with `x`. create b with `x`. run `true`. create c with `x`');
    expect(session.client.permissions.map(({ toolCall }) => toolCall.name)).toEqual([
      'write',
      'execute',
    ]);
    const other = await session.client.openSession({ cwd: scratch.path, mcpServers: [] }, 'ask');
    await other.prompt('create d with `x`');
    expect(session.client.permissions).toHaveLength(3);
  });

  const REFUSALS: { what: string; answer: Answer }[] = [
    { what: 'is rejected', answer: select('reject_once') },
    { what: 'is dismissed', answer: () => ({ outcome: { outcome: 'cancelled' } }) },
    {
      what: 'is answered with an option that was not offered',
      answer: () => ({ outcome: { outcome: 'selected', optionId: 'sure' } }),
    },
    {
      what: 'is answered with an error',
      answer: () => {
        throw new RpcError(-32603, 'no');
      },
    },
  ];
  test.each(REFUSALS)(
    'nothing is changed when it $what, and the turn goes on',
    async ({ answer }) => {
      await using scratch = await createScratch();
      const session = await TestClient.open(scratch.path, {}, 'ask');
      session.client.answer = answer;
      expect(await session.script(CREATE, { say: 'on' })).toEqual({ stopReason: 'end_turn' });
      expect(session.statuses).toEqual({ 'tool-1': ['pending', 'failed'] });
      expect(session.said).toBe('on');
      expect(await readdir(scratch.path)).toEqual([]);
    },
  );

  test('input that does not fit is not asked for', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path, {}, 'ask');
    await session.script({ tool: 'write', input: { path: '../f', text: 'x' } });
    expect(session.client.permissions).toEqual([]);
    expect(session.statuses).toEqual({ 'tool-1': ['pending', 'failed'] });
  });
});

describe('modes', () => {
  test('are offered with the session, and auto asks for nothing', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path, {}, 'auto');
    expect(session.updates('current_mode_update')).toMatchObject([{ currentModeId: 'auto' }]);
    await session.script(CREATE);
    expect(session.client.permissions).toEqual([]);
    expect(await readFile(join(scratch.path, 'f'), 'utf8')).toBe('x');
  });

  test('plan refuses changes and commands without asking', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path, {}, 'plan');
    await session.script(
      CREATE,
      { tool: 'execute', input: { command: 'touch g' } },
      { tool: 'list' },
    );
    expect(Object.values(session.statuses)).toEqual([
      ['pending', 'failed'],
      ['pending', 'failed'],
      ['pending', 'in_progress', 'completed'],
    ]);
    expect(session.client.permissions).toEqual([]);
    expect(await readdir(scratch.path)).toEqual([]);
  });

  test('can change while somebody is asked, and plan wins', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path, {}, 'ask');
    session.client.answer = async (request) => {
      const change = { sessionId: session.id, modeId: 'plan' };
      await session.client.connection.request('session/set_mode', change);
      return select('allow_once')(request);
    };
    await session.script(CREATE);
    expect(await readdir(scratch.path)).toEqual([]);
  });

  test('that do not exist are refused', async () => {
    await using scratch = await createScratch();
    const session = await TestClient.open(scratch.path, {}, 'ask');
    const change = { sessionId: session.id, modeId: 'wild' };
    await expect(
      session.client.connection.request('session/set_mode', change),
    ).rejects.toMatchObject({ code: -32602 });
  });
});
