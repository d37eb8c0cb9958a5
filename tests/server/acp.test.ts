import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { toCursor, type SessionId } from '@signalbox/core';
import { describe, expect, it, vi } from 'vitest';
import { errorOf } from '../serving/editor.ts';
import { say, script } from '../serving/stage.ts';
import { AcpClient } from './acp-client.ts';
import { codeOf, SOON } from './ask.ts';
import { Box } from './box.ts';
import { EventStream } from './event-stream.ts';

const DOORS = ['websocket', 'http'] as const;
const JSON_TYPE = { 'content-type': 'application/json' };
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
});

it('one token has no more WebSockets than one may have, and leaves room for others', async () => {
  const box = await Box.open({ limits: { webSocketsEachMax: 2 } });
  const [headers, others] = [await box.token(), await box.token()];
  const clients = [];
  for (const each of [headers, headers]) {
    clients.push(await AcpClient.open(box, 'websocket', each));
  }
  const refused = await errorOf(AcpClient.open(box, 'websocket', headers));
  expect(refused.message).toContain('429');
  clients.push(await AcpClient.open(box, 'websocket', others));
  clients.push(await AcpClient.open(box, 'http', headers));
  await clients[0]?.connection.close();
  await vi.waitFor(async () => {
    clients.push(await AcpClient.open(box, 'websocket', headers));
  });
  for (const { connection } of clients) await connection.close();
});

describe.for(DOORS)('ACP by %s', (door) => {
  it('serves sessions', async () => {
    const box = await Box.open();
    const client = await AcpClient.open(box, door, await box.token());
    const sessionId = await client.newSession(box.stage.folder);
    expect(await client.prompt(sessionId, script(say('hello')))).toEqual({
      stopReason: 'end_turn',
    });
    await client.untilSaid('hello');
    await client.connection.close();
  });

  it('carries a picture of several MiB unchanged, in prompts, messages and tool calls', async () => {
    const box = await Box.open({ stage: { agent: 'echoes-blocks' } });
    const client = await AcpClient.open(box, door, await box.token());
    const sessionId = await client.newSession(box.stage.folder);
    const data = randomBytes(6 * 1024 * 1024).toString('base64');
    const picture = { type: 'image', mimeType: 'image/png', data } as const;
    await client.connection.request('session/prompt', { sessionId, prompt: [picture] });
    const [message, call] = client.updates as { content?: unknown }[];
    // Compared as a whole, so that a failure does not print all of it.
    expect(isDeepStrictEqual(message?.content, picture)).toBe(true);
    expect(isDeepStrictEqual(call?.content, [{ type: 'content', content: picture }])).toBe(true);
    const [turn] = await box.stage.eventsOf(sessionId, 'turn.started');
    expect(isDeepStrictEqual(turn?.data.content.value, [picture])).toBe(true);
    await client.connection.close();
  });

  it('takes no long messages of those who may only watch, and deep ones of nobody', async () => {
    const box = await Box.open({ limits: { watcherFrameBytesMax: 10_000 } });
    const padding = 'x'.repeat(10_000);
    const deep: unknown = JSON.parse('['.repeat(300) + ']'.repeat(300));
    for (const role of ['driver', 'approver', 'observer'] as const) {
      const { connection } = await AcpClient.open(box, door, await box.token(role));
      await errorOf(connection.requestOther('_x', { deep }));
      expect(connection.isClosed).toBe(false);
      await errorOf(connection.requestOther('_x', { padding }));
      if (role === 'driver') expect(connection.isClosed).toBe(false);
      else if (door === 'websocket') await connection.closed;
      await connection.close();
    }
  });

  it('tells the log who asked: the name of the token', async () => {
    const box = await Box.open();
    const client = await AcpClient.open(box, door, await box.token());
    const sessionId = await client.newSession(box.stage.folder);
    await client.prompt(sessionId, script(say('hello')));
    const [turn] = await box.stage.eventsOf(sessionId, 'turn.started');
    expect(turn?.data.by).toEqual({ kind: 'client', name: 'test driver' });
    await client.connection.close();
  });

  it('lets an observer do nothing', async () => {
    const box = await Box.open();
    const client = await AcpClient.open(box, door, await box.token('observer'));
    const error = await errorOf(client.newSession(box.stage.folder));
    expect(error.data).toMatchObject({ failure: 'forbidden' });
    await client.connection.close();
  });

  it('ends when its token is revoked, and what runs goes on', async () => {
    const box = await Box.open();
    const { secret, credential } = await box.server.credentials.createToken({
      name: 'lost',
      role: 'driver',
    });
    const client = await AcpClient.open(box, door, { authorization: `Bearer ${secret}` });
    const other = await AcpClient.open(box, door, await box.token());
    const sessionId = await client.newSession(box.stage.folder);
    const prompt = client.prompt(sessionId, script(say('one'), { cancel: true }));
    prompt.catch(() => undefined);
    await client.untilSaid('one');
    await box.server.credentials.revoke(credential.id);
    await client.connection.closed;
    await expect(prompt).rejects.toMatchObject({ code: 'closed' });
    await expect
      .poll(() => box.logged.filter(({ msg }) => msg === 'connection closed'), SOON)
      .toEqual([expect.objectContaining({ principal: 'lost', reason: 'revoked' })]);
    expect((await box.stage.host.findSessions(sessionId, 1))[0]?.status).toBe('running');
    await other.newSession(box.stage.folder);
    await other.connection.close();
  });

  it('is counted and logged', async () => {
    const box = await Box.open();
    const headers = await box.token();
    const client = await AcpClient.open(box, door, headers);
    const sessionId = await client.newSession(box.stage.folder);
    await client.prompt(sessionId, script(say('hello')));
    const open = (await box.ask('/metrics', { headers })).text;
    expect(open).toContain(`signalbox_connections_open{kind="${door}"} 1`);
    expect(open).toContain(`signalbox_connections_total{kind="${door}"} 1`);
    expect(open).toMatch(new RegExp(`signalbox_frames_total\\{kind="${door}",direction="in"\\} 3`));
    expect(open).toContain('signalbox_sessions_open 1');
    await client.connection.close();
    const facts = { kind: door, agent: 'scripted', principal: 'test driver' };
    await expect
      .poll(() => box.logged.filter(({ msg }) => String(msg).startsWith('connection ')), SOON)
      .toEqual([
        expect.objectContaining({ ...facts, msg: 'connection opened' }),
        expect.objectContaining({
          ...facts,
          msg: 'connection closed',
          reason: expect.any(String) as unknown,
        }),
      ]);
    const closed = (await box.ask('/metrics', { headers })).text;
    expect(closed).toContain(`signalbox_connections_open{kind="${door}"} 0`);
  });
});

describe('ACP over HTTP', () => {
  it('does not show one principal the connection of another', async () => {
    const box = await Box.open();
    const [mine, theirs] = [await box.token(), await box.token()];
    const opened = await box.ask('/acp', {
      method: 'POST',
      headers: { ...JSON_TYPE, ...mine },
      body: INITIALIZE,
    });
    const id = String(opened.headers['acp-connection-id']);
    expect(opened.status).toBe(200);
    for (const [headers, path, status] of [
      [theirs, '/acp', 404],
      [mine, '/acp/agents/scripted', 202],
    ] as const) {
      const answer = await box.ask(path, {
        method: 'DELETE',
        headers: { ...headers, 'acp-connection-id': id },
      });
      expect(answer.status).toBe(status);
    }
  });

  it('sends a stream again from the log, and refuses what is no place in it', async () => {
    const box = await Box.open();
    const token = await box.token();
    const post = async (message: object, more = {}) =>
      box.ask('/acp', {
        method: 'POST',
        headers: { ...JSON_TYPE, ...token, ...more },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      });
    const opened = await box.ask('/acp', {
      method: 'POST',
      headers: { ...JSON_TYPE, ...token },
      body: INITIALIZE,
    });
    const connection = { 'acp-connection-id': String(opened.headers['acp-connection-id']) };
    const answers = await EventStream.open(box.url('/acp'), { ...token, ...connection });
    await post(
      { id: 2, method: 'session/new', params: { cwd: box.stage.folder, mcpServers: [] } },
      connection,
    );
    await answers.until(() => answers.events.length === 1);
    const { sessionId } = (
      JSON.parse(answers.events[0]?.data ?? '') as { result: { sessionId: SessionId } }
    ).result;
    const session = { ...connection, 'acp-session-id': sessionId };
    const prompt = [{ type: 'text', text: script(say('hello')) }];
    await post({ id: 3, method: 'session/prompt', params: { sessionId, prompt } }, session);
    const first = await EventStream.open(box.url('/acp'), { ...token, ...session });
    await first.until(() => first.events.some(({ data }) => data.includes('"id":3')));
    const again = await EventStream.open(box.url('/acp'), {
      ...token,
      ...session,
      'last-event-id': `${toCursor(sessionId, 1)}~0`,
    });
    await again.until(() => again.events.some(({ data }) => data.includes('"id":3')));
    expect(again.events).toEqual(first.events);
    for (const [cursor, reason] of [
      ['abc', 'malformed'],
      [toCursor('other' as SessionId, 1), 'foreign'],
    ] as const) {
      const headers = { ...token, ...session, accept: 'text/event-stream' };
      const answer = await box.ask('/acp', {
        headers: { ...headers, 'last-event-id': `${cursor}~0` },
      });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([409, { reason }]);
    }
    for (const stream of [answers, first, again]) stream.close();
  });

  it('has its own bound for bodies, and reads what is no JSON itself', async () => {
    const box = await Box.open({ limits: { bodyBytesMax: 10 } });
    const headers = { ...JSON_TYPE, ...(await box.token()) };
    const post = (body: string, more = {}) =>
      box.ask('/acp', { method: 'POST', headers: { ...headers, ...more }, body });
    expect((await post(INITIALIZE)).status).toBe(200);
    expect((await post('{')).status).toBe(400);
    expect((await post(`[${INITIALIZE}]`)).status).toBe(400);
    expect((await post('x', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it.for(['GET', 'POST', 'DELETE'])('knows no other agents (%s)', async (method) => {
    const box = await Box.open();
    const headers = { ...JSON_TYPE, ...(await box.token()) };
    const question = { method, headers, ...(method === 'POST' ? { body: INITIALIZE } : {}) };
    const answer = await box.ask('/acp/agents/other', question);
    expect([answer.status, codeOf(answer)]).toEqual([404, 'agent_unknown']);
  });
});
