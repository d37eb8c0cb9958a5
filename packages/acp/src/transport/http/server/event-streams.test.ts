import { once } from 'node:events';
import { createConnection } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SimulatedClock } from '../../../clock/simulated-clock.ts';
import { INITIALIZED } from '../../../../../../tests/support/http/frames.ts';
import { Http2Fetch } from '../../../../../../tests/support/http/http2-fetch.ts';
import {
  HttpStage,
  type HttpStageOptions,
} from '../../../../../../tests/support/http/http-stage.ts';
import { RawClient } from '../../../../../../tests/support/http/raw-client.ts';
import {
  notificationFrame,
  requestFrame,
  resultFrame,
} from '../../../../../../tests/support/peers.ts';
import { turn } from '../../../../../../tests/support/scripted-transport.ts';
import type { Transport } from '../../../jsonrpc/transport.ts';
import { StreamRefused } from '../../incoming-connection.ts';

const running: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

describe('an event stream', () => {
  it('has the headers that keep proxies from holding it back, and begins with an id (B156, B161)', async () => {
    const { client, connection } = await connect();
    const stream = await client.events({ ...connection, 'Accept-Encoding': 'gzip, br' });
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'acp-connection-id': connection['Acp-Connection-Id'],
    });
    expect(stream.response.headers.get('Content-Encoding')).toBeNull();
    expect(await stream.next()).toEqual({ retry: '2000', id: '~0' });
  });

  it('carries answers and what belongs to no session on the stream of the connection (R-HTTP-14)', async () => {
    const { client, connection, transport } = await connect();
    const inSession = { ...connection, 'Acp-Session-Id': 's' };
    await client.post(requestFrame(1, 'session/new', {}), connection);
    await client.post(requestFrame(2, 'session/load', { sessionId: 's' }), inSession);
    const frames = [
      resultFrame(1, { sessionId: 's' }),
      resultFrame(2, {}),
      notificationFrame('_news', {}),
      requestFrame(0, 'elicitation/create', {}),
      resultFrame('of nothing', {}),
    ];
    for (const frame of frames) void transport.send(frame);
    const stream = await client.events(connection);
    expect(await stream.data(frames.length)).toEqual(frames);
  });

  it('carries updates, requests and answers of a session on its own stream (R-HTTP-15)', async () => {
    const { client, connection, transport } = await connect();
    const inSession = (id: string) => ({ ...connection, 'Acp-Session-Id': id });
    await client.post(requestFrame(1, 'session/prompt', { sessionId: 'a' }), inSession('a'));
    await client.post(requestFrame('two, 2', 'session/resume', { sessionId: 'b' }), inSession('b'));
    const framesOf = (sessionId: string, id: unknown) => [
      notificationFrame('session/update', { sessionId }),
      requestFrame(id, 'fs/read_text_file', { sessionId }),
      resultFrame(id, {}),
    ];
    const [a, b] = [framesOf('a', 1), framesOf('b', 'two, 2')];
    a.forEach((frame, i) => {
      void transport.send(frame);
      void transport.send(String(b[i]));
    });
    const streams = await Promise.all([
      client.events(inSession('a')),
      client.events(inSession('b')),
    ]);
    expect(await streams[0].data(3)).toEqual(a);
    expect(await streams[1].data(3)).toEqual(b);
  });

  it('sends what comes within one turn with one write', async () => {
    const { client, connection, transport } = await connect();
    const { body } = (await client.get(connection)) as { body: ReadableStream<Uint8Array> };
    const reader = body.getReader();
    await reader.read();
    for (let i = 0; i < 100; i++) void transport.send(notificationFrame('_n', { i }));
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value).match(/^data:/gm)).toHaveLength(100);
    await reader.cancel();
  });

  it('gives each event the id of its place, and goes on behind it', async () => {
    const { client, connection, transport } = await connect();
    const inSession = { ...connection, 'Acp-Session-Id': 's' };
    const send = (data: string, cursor?: string) =>
      void transport.send(data, cursor === undefined ? { stream: 's' } : { stream: 's', cursor });
    send('"p1"', 'c1');
    send('"u1"');
    send('"u2"');
    const first = await client.events(inSession);
    expect(await first.take(4)).toEqual([
      { retry: '2000', id: '~0' },
      { id: 'c1~0', data: '"p1"' },
      { id: 'c1~1', data: '"u1"' },
      { id: 'c1~2', data: '"u2"' },
    ]);
    const second = await client.events({ ...inSession, 'Last-Event-ID': 'c1~1' });
    send('"u3"');
    expect(await second.take(3)).toEqual([
      { retry: '2000', id: 'c1~1' },
      { id: 'c1~2', data: '"u2"' },
      { id: 'c1~3', data: '"u3"' },
    ]);
  });

  it('has placed frames sent again by its owner, with the others in their places', async () => {
    const asked: string[] = [];
    let sendAgain = (): void => undefined;
    const { client, connection, transport } = await connect({
      accept: () => ({
        rewind: async (stream, cursor) => {
          asked.push(`${stream} ${cursor}`);
          await turn();
          return () => sendAgain();
        },
      }),
    });
    const inSession = { ...connection, 'Acp-Session-Id': 's' };
    const place = (cursor: string) => ({ stream: 's', cursor });
    for (const n of [1, 2, 3]) {
      void transport.send(`"p${n}"`, place(`c${n}`));
      void transport.send(`"u${n}"`, { stream: 's' });
    }
    const first = await client.events(inSession);
    await first.data(6);
    sendAgain = () => {
      // What is sent again is cut differently, and something new comes at the same time.
      void transport.send('"p2+3"', place('c3'));
      void transport.send('"new"', { stream: 's' });
    };
    const second = await client.events({ ...inSession, 'Last-Event-ID': 'c1~0' });
    expect(asked).toEqual(['s c1']);
    expect(await second.take(6)).toEqual([
      { retry: '2000', id: 'c1~0' },
      { id: 'c1~1', data: '"u1"' },
      { id: 'c3~1', data: '"p2+3"' },
      { id: 'c3~2', data: '"u2"' },
      { id: 'c3~3', data: '"u3"' },
      { id: 'c3~4', data: '"new"' },
    ]);
  });

  it('does not hold back for ever what is in no log when its owner does not send again', async () => {
    const clock = new SimulatedClock();
    const { client, connection, transport, stage } = await connect({
      clock,
      accept: () => ({ rewind: () => Promise.resolve(() => undefined) }),
    });
    const inSession = { ...connection, 'Acp-Session-Id': 's' };
    void transport.send('"p1"', { stream: 's', cursor: 'c1' });
    void transport.send('"p2"', { stream: 's', cursor: 'c2' });
    void transport.send('"answer"', { stream: 's' });
    await (await client.events(inSession)).data(3);
    const second = await client.events({ ...inSession, 'Last-Event-ID': 'c1~0' });
    await second.next();
    clock.advance(5000);
    expect(await second.data(1)).toEqual(['"answer"']);
    expect(stage.log.join()).toContain('not sent again');
  });

  it.each([
    ['what is no id', 'abc', 'malformed'],
    ['a number alone', '1000000000', 'malformed'],
    ['a negative number', 'c1~-1', 'malformed'],
    ['a number that was never sent', 'c1~99', 'foreign'],
    ['the id of another stream', '~1', 'foreign'],
    ['a cursor that its owner refuses', 'x9~0', 'foreign'],
    ['a place that is not kept any more', 'c1~2', 'gap'],
  ])(
    'refuses %s by 409, and never begins from now without a word (B159, B160)',
    async (_, id, reason) => {
      const { client, connection, transport } = await connect({
        ...(reason === 'gap' ? { limits: { replayFramesMax: 3 } } : {}),
        accept: () => ({
          rewind: (_stream, cursor) =>
            Promise.reject(new StreamRefused('foreign', `${cursor} is of another session`)),
        }),
      });
      const inSession = { ...connection, 'Acp-Session-Id': 's' };
      void transport.send(notificationFrame('_of_the_connection'));
      void transport.send('"p1"', { stream: 's', cursor: 'c1' });
      for (let i = 0; i < 6; i++) void transport.send(`${i}`, { stream: 's' });
      await (await client.events(inSession)).data(7);
      const refused = await client.get({ ...inSession, 'Last-Event-ID': id });
      expect(await refused.json()).toMatchObject({
        status: 409,
        code: 'stream_refused',
        reason,
        detail: expect.stringMatching(/\w\. Start anew/) as string,
      });
      expect(refused.status).toBe(409);
    },
  );

  it('answers 503 when its owner does not rewind it in time', async () => {
    const clock = new SimulatedClock();
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const { client, connection, transport } = await connect({
      clock,
      accept: () => ({
        rewind: () => {
          asked();
          return new Promise(() => undefined);
        },
      }),
    });
    const inSession = { ...connection, 'Acp-Session-Id': 's' };
    for (const cursor of ['c1', 'c2']) void transport.send('"p"', { stream: 's', cursor });
    await (await client.events(inSession)).data(2);
    const response = client.get({ ...inSession, 'Last-Event-ID': 'c1~0' });
    await isAsked;
    clock.advance(15_000);
    expect(await (await response).json()).toMatchObject({ status: 503, code: 'rewind_timeout' });
  });

  it('tells a reader whom it is being rewound for that the connection has ended', async () => {
    let goOn = (): void => undefined;
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const { client, connection, transport } = await connect({
      accept: () => ({
        rewind: async () => {
          asked();
          await new Promise<void>((resolve) => (goOn = resolve));
          return () => undefined;
        },
      }),
    });
    const inSession = { ...connection, 'Acp-Session-Id': 's' };
    for (const cursor of ['c1', 'c2']) void transport.send('"p"', { stream: 's', cursor });
    await (await client.events(inSession)).data(2);
    const stream = client.events({ ...inSession, 'Last-Event-ID': 'c1~0' });
    await isAsked;
    await client.request('DELETE', connection);
    goOn();
    expect((await (await stream).rest()).at(-1)).toEqual({ comment: 'closed' });
  });

  it('is forgotten when its session was closed and its place is needed', async () => {
    const { client, connection, transport, stage } = await connect({
      limits: { waitingStreamsMax: 2 },
    });
    const inSession = (id: string) => ({ ...connection, 'Acp-Session-Id': id });
    const update = (sessionId: string) => notificationFrame('_n', { sessionId });
    await client.post(requestFrame(1, 'session/close', { sessionId: 'a' }), inSession('a'));
    void transport.send(resultFrame(1, {}));
    void transport.send(update('b'));
    // The answer was not read yet.
    expect(() => transport.send(update('c'))).toThrow('2 sessions');
    const stream = await client.events(inSession('a'));
    await stream.data(1);
    stream.cut();
    await untilOpen(stage, 0);
    void transport.send(update('c'));
    expect(() => transport.send(update('d'))).toThrow('2 sessions');
  });

  it('is taken over by the next reader, who gets everything behind its place', async () => {
    const { client, connection, transport } = await connect();
    const first = await client.events(connection);
    void transport.send(notificationFrame('_1'));
    await first.data(1);
    const second = await client.events({ ...connection, 'Last-Event-ID': '~1' });
    void transport.send(notificationFrame('_2'));
    expect(await first.rest()).toEqual([{ comment: 'replaced' }]);
    expect(await second.data(1)).toEqual([notificationFrame('_2')]);
  });

  it('goes on with what no socket has got yet when it is opened without an id', async () => {
    const { client, connection, transport, stage } = await connect();
    void transport.send(notificationFrame('_1'));
    const first = await client.events(connection);
    await first.data(1);
    first.cut();
    await untilOpen(stage, 0);
    void transport.send(notificationFrame('_2'));
    const second = await client.events(connection);
    expect(await second.take(2)).toEqual([
      { retry: '2000', id: '~1' },
      { id: '~2', data: notificationFrame('_2') },
    ]);
  });

  it('leaves other streams and running work alone when it breaks (R-HTTP-29, B149)', async () => {
    const { client, connection, transport, stage } = await connect();
    await client.post(requestFrame(1, 'session/prompt', { sessionId: 'a' }), {
      ...connection,
      'Acp-Session-Id': 'a',
    });
    const [a, b] = await Promise.all([
      client.events({ ...connection, 'Acp-Session-Id': 'a' }),
      client.events({ ...connection, 'Acp-Session-Id': 'b' }),
    ]);
    a.cut();
    await untilOpen(stage, 1);
    void transport.send(resultFrame(1, {}));
    void transport.send(notificationFrame('_to_b', { sessionId: 'b' }));
    expect(await b.data(1)).toEqual([notificationFrame('_to_b', { sessionId: 'b' })]);
    const again = await client.events({ ...connection, 'Acp-Session-Id': 'a' });
    expect(await again.data(1)).toEqual([resultFrame(1, {})]);
  });

  it('says every 15 s that it is there, in comments that are no events (B158)', async () => {
    const clock = new SimulatedClock();
    const { client, connection, transport } = await connect({ clock });
    const stream = await client.events(connection);
    await stream.next();
    clock.advance(14_999);
    void transport.send(notificationFrame('_1'));
    await stream.data(1);
    clock.advance(14_999);
    void transport.send(notificationFrame('_2'));
    expect(await stream.data(1)).toEqual([notificationFrame('_2')]);
    clock.advance(15_000);
    expect(await stream.next()).toEqual({ comment: '' });
    clock.advance(15_000);
    expect(await stream.next()).toEqual({ comment: '' });
  });

  it.each(['http1', 'h2c'] as const)(
    'outlives the timeouts of a server over %s (B158)',
    async (protocol) => {
      const { client, connection, transport, stage } = await connect({
        protocol,
        prepare: (server) => server.setTimeout(400),
      });
      const stream = await client.events(connection);
      // A connection that came later and is silent too is ended by the server; then it is time.
      const silent = createConnection(stage.port, '127.0.0.1').resume();
      await once(silent, 'close');
      void transport.send(notificationFrame('_1'));
      expect(await stream.data(1)).toEqual([notificationFrame('_1')]);
    },
  );
});

describe('a poll', () => {
  const POLL = { 'Acp-Poll': '1' };

  it('is answered with what there is, under the same ids, and ends (B169)', async () => {
    const { client, connection, transport } = await connect();
    void transport.send(notificationFrame('_1'));
    void transport.send(notificationFrame('_2'));
    const first = await client.events({ ...connection, ...POLL });
    expect((await first.rest()).map(({ id }) => id)).toEqual(['~0', '~1', '~2']);
    const second = await client.events({ ...connection, ...POLL, 'Last-Event-ID': '~1' });
    expect((await second.rest()).map(({ id }) => id)).toEqual(['~1', '~2']);
  });

  it('waits for the first event', async () => {
    const { client, connection, transport } = await connect();
    const poll = await client.events({ ...connection, ...POLL });
    expect(await poll.next()).toEqual({ retry: '2000', id: '~0' });
    void transport.send(notificationFrame('_1'));
    expect(await poll.rest()).toEqual([{ id: '~1', data: notificationFrame('_1') }]);
  });

  it('ends after 20 s with a comment when nothing comes, and counts as open for a while', async () => {
    const clock = new SimulatedClock();
    const { client, connection, stage } = await connect({ clock });
    const poll = await client.events({ ...connection, ...POLL });
    await poll.next();
    clock.advance(20_000);
    expect(await poll.rest()).toEqual([{ comment: '' }]);
    expect(stage.endpoint.openStreamCount).toBe(1);
    clock.advance(30_000);
    expect(stage.endpoint.openStreamCount).toBe(0);
  });
});

/** Resolves when the endpoint knows of only so many open streams. */
async function untilOpen(stage: HttpStage, count: number): Promise<void> {
  while (stage.endpoint.openStreamCount > count) await turn();
}

async function connect(options: HttpStageOptions = {}): Promise<{
  stage: HttpStage;
  client: RawClient;
  connection: Record<string, string>;
  transport: Transport;
}> {
  const { accept } = options;
  const stage = await HttpStage.start({
    ...options,
    accept: (connection) => {
      queueMicrotask(() => void connection.transport.send(INITIALIZED));
      return accept?.(connection);
    },
  });
  running.push(() => stage.dispose());
  const http2 = options.protocol === 'h2c' ? new Http2Fetch(new URL(stage.url).origin) : undefined;
  running.push(() => http2?.close());
  const client = new RawClient(stage.url, http2?.fetch);
  const connection = await client.initialize();
  const { transport } = await stage.nextConnection();
  return { stage, client, connection, transport };
}
