import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Stream } from 'node:http2';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createServer } from '../../packages/server/src/index.ts';
import { say, script } from '../serving/stage.ts';
import { AcpClient } from './acp-client.ts';
import { codeOf, SOON, UPGRADE } from './ask.ts';
import { Box } from './box.ts';
import { EventStream } from './event-stream.ts';

const GRACE = { graceMs: 5000 };

async function statusOf(stream: ClientHttp2Stream): Promise<unknown> {
  stream.resume();
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  return headers[':status'];
}

describe('a server that is closed', () => {
  it('answers what was under way, and takes no new connection', async () => {
    const box = await Box.open();
    const session = connectHttp2(box.url('/'));
    const headers = { ':path': '/login', ':method': 'POST', 'content-type': 'application/json' };
    const upload = session.request(headers);
    expect(await statusOf(session.request({ ':path': '/health/ready' }))).toBe(200);
    const closed = box.server.close(GRACE);
    await expect(box.ask('/health/live')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    upload.end('{"code":"x"}');
    expect(await statusOf(upload)).toBe(401);
    await closed;
  });

  it('is alive, is not ready, and takes no new work while prompts are under way', async () => {
    const box = await Box.open();
    const headers = await box.token();
    const client = await AcpClient.open(box, 'http', headers);
    const sessionId = await client.newSession(box.stage.folder);
    const prompt = client.prompt(sessionId, script(say('one'), { cancel: true }));
    await client.untilSaid('one');
    const closed = box.server.close(GRACE);
    expect((await box.ask('/health/live')).status).toBe(200);
    for (const [path, more] of [
      ['/health/ready', {}],
      ['/v1/sessions', {}],
      ['/nowhere', {}],
      ['/acp', {}],
      ['/acp', UPGRADE],
    ] as const) {
      const answer = await box.ask(path, { headers: { ...headers, ...more } });
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 503, 'draining']);
      expect(answer.headers).toMatchObject({ 'retry-after': '2', connection: 'close' });
    }
    await client.connection.notify('session/cancel', { sessionId });
    expect(await prompt).toEqual({ stopReason: 'cancelled' });
    await closed;
  });

  it('lets clients hear how their prompts end, and then says that it goes away', async () => {
    const box = await Box.open();
    const headers = await box.token();
    const socket = new WebSocket(box.url('/acp').replace(/^http/, 'ws'), { headers });
    await once(socket, 'open');
    const clients = [
      await AcpClient.open(box, 'http', headers),
      await AcpClient.open(box, 'websocket', headers),
    ];
    const prompts: Promise<unknown>[] = [];
    const sessionIds: string[] = [];
    for (const client of clients) {
      const sessionId = await client.newSession(box.stage.folder);
      sessionIds.push(sessionId);
      prompts.push(client.prompt(sessionId, script(say('one'), { cancel: true })));
      await client.untilSaid('one');
    }
    const goodbye = once(socket, 'close') as Promise<[number]>;
    const closed = box.server.close(GRACE);
    for (const [index, { connection }] of clients.entries()) {
      await connection.notify('session/cancel', { sessionId: sessionIds[index] ?? '' });
    }
    expect(await Promise.all(prompts)).toEqual([
      { stopReason: 'cancelled' },
      { stopReason: 'cancelled' },
    ]);
    expect((await goodbye)[0]).toBe(1001);
    await closed;
  });

  it('ends event streams at once, which can be resumed elsewhere', async () => {
    const box = await Box.open();
    const { host, folder } = box.stage;
    const { id } = await host.createSession({ agent: 'scripted', cwd: folder });
    const url = box.url(`/v1/sessions/${id}/events`);
    const stream = await EventStream.open(url, await box.token());
    await stream.until(() => stream.count('caught_up') === 1);
    const closed = box.server.close(GRACE);
    await stream.whenClosed();
    expect(stream.comments.at(-1)).toBe('closing');
    await closed;
  });

  it('answers a long poll', async () => {
    const box = await Box.open();
    const headers = await box.token();
    const { host, folder } = box.stage;
    const { id } = await host.createSession({ agent: 'scripted', cwd: folder });
    const url = `/v1/sessions/${id}/events`;
    const { next } = JSON.parse((await box.ask(url, { headers })).text) as { next: string };
    const polled = box.ask(`${url}?after=${next}&wait=30`, { headers });
    await expect
      .poll(async () => (await box.ask('/metrics', { headers })).text, SOON)
      .toContain('signalbox_event_streams_open 1');
    await box.server.close(GRACE);
    expect(JSON.parse((await polled).text)).toMatchObject({ events: [], next });
  });

  it('cancels no turn, and waits for none longer than it may', async () => {
    const box = await Box.open();
    const client = await AcpClient.open(box, 'websocket', await box.token());
    const sessionId = await client.newSession(box.stage.folder);
    const prompt = client.prompt(sessionId, script(say('one'), { cancel: true }));
    prompt.catch(() => undefined);
    await client.untilSaid('one');
    await box.server.close({ graceMs: 100 });
    await client.connection.closed;
    expect((await box.stage.host.findSessions(sessionId, 1))[0]?.status).toBe('running');
  });

  it('may be closed again, and before it has ever listened', async () => {
    const box = await Box.open();
    const { host } = box.stage;
    const { records } = box.journal;
    const log = pino({ level: 'silent' });
    const options = { host, records, log, agents: () => undefined, listen: { port: 0 } };
    await createServer(options).close();
    await Promise.all([box.server.close(GRACE), box.server.close(GRACE)]);
    await box.server.close();
  });
});
