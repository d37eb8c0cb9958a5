import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedClock } from '../../../clock/simulated-clock.ts';
import { FETCH_KINDS } from '../../../../../../tests/support/http/fetches.ts';
import {
  INITIALIZE,
  INITIALIZED,
  takeFrames,
} from '../../../../../../tests/support/http/frames.ts';
import {
  openStream,
  ScriptedServer,
  type Script,
  type ScriptedRequest,
} from '../../../../../../tests/support/http/scripted-server.ts';
import {
  notificationFrame,
  requestFrame,
  resultFrame,
} from '../../../../../../tests/support/peers.ts';
import { turn } from '../../../../../../tests/support/scripted-transport.ts';
import { ClientConnection } from '../../../connection/client-connection.ts';
import { connectHttp } from './connect-http.ts';
import { createCookieJar } from './cookie-jar.ts';
import type { HttpClientOptions } from './http-client-options.ts';
import type { HttpFetch } from './http-fetch.ts';
import { HttpTransportError } from './http-transport-error.ts';

const FAST = { backOffMinMs: 1, backOffMaxMs: 2, triesMax: 5 };
const running: (() => Promise<unknown>)[] = [];
let fetch: HttpFetch;

afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

describe.each(FETCH_KINDS)('connecting over HTTP by $by', ({ create }) => {
  beforeEach(() => void (fetch = create()));

  it('begins with initialize and nothing else', async () => {
    const { client } = await start();
    expect(() => client.transport.send(notificationFrame('x'))).toThrow('initialize');
    expect(client.connectionId).toBeUndefined();
    void client.transport.send(INITIALIZE);
    expect(await next(client)).toEqual([INITIALIZED]);
    expect(client.connectionId).toBe('c1');
  });

  it.each([
    [401, 'refused'],
    [404, 'refused'],
    [503, 'refused'],
    [307, 'refused'],
  ])('fails with the status when initialize is answered by %i (B150)', async (status, code) => {
    const { client, server } = await start(({ response }) => {
      response.writeHead(status, { 'Retry-After': '7', Location: '/elsewhere' });
      response.end('{"detail":"because"}');
    });
    const connection = new ClientConnection(client.transport, { requests: {}, notifications: {} });
    const failure = await connection.initialize({ clientCapabilities: {} }).catch(String);
    expect(failure).toContain(`initialize was answered with ${status} (because)`);
    const reason = await connection.closed;
    expect(reason.error).toBeInstanceOf(HttpTransportError);
    expect(reason.error).toMatchObject({ code, status, retryAfterMs: 7000 });
    expect(server.requests).toHaveLength(1);
  });

  it('fails when nobody listens', async () => {
    const { client, server } = await start();
    await server.stop();
    running.length = 0;
    void client.transport.send(INITIALIZE);
    await expect(takeFrames(client.transport)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it.each([
    ['no connection id', {}, INITIALIZED],
    ['the answer to something else', { 'Acp-Connection-Id': 'c' }, resultFrame(5, {})],
    ['a page', { 'Acp-Connection-Id': 'c' }, '<html>'],
  ])('fails when initialize is answered with %s', async (_, headers, body) => {
    const { client } = await start(({ response }) => {
      response.writeHead(200, headers).end(body);
    });
    void client.transport.send(INITIALIZE);
    await expect(takeFrames(client.transport)).rejects.toMatchObject({ code: 'invalid_response' });
  });

  it('hands on an error of initialize, and ends', async () => {
    const error = '{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"log in"}}';
    const { client } = await start(({ response }) => {
      response.writeHead(200, { 'Acp-Connection-Id': 'c' }).end(error);
    });
    void client.transport.send(INITIALIZE);
    expect(await takeFrames(client.transport)).toEqual([error]);
  });

  it('sends headers and cookies with each request, and keeps new cookies (R-HTTP-21)', async () => {
    let token = 0;
    const { client, server } = await start(
      ({ method, response }) => {
        if (method === 'POST') response.setHeader('Set-Cookie', ['lb=a7; Path=/', 'bad;;=']);
        return false;
      },
      { cookies: createCookieJar(), headers: () => ({ Authorization: `Bearer ${++token}` }) },
    );
    void client.transport.send(INITIALIZE);
    await next(client);
    void client.transport.send(requestFrame(1, 'session/prompt', { sessionId: 's' }));
    await server.when(() => server.requests.length >= 4);
    await client.transport.close();
    const [first, ...others] = server.requests;
    expect(first?.headers.cookie).toBeUndefined();
    expect(others.map(({ headers }) => headers.cookie)).toEqual(others.map(() => 'lb=a7'));
    const tokens = server.requests.map(({ headers }) => headers.authorization);
    expect(new Set(tokens).size).toBe(5);
    expect(server.of('DELETE')).toHaveLength(1);
  });
});

describe.each(FETCH_KINDS)('the streams of a client by $by', ({ create }) => {
  beforeEach(() => void (fetch = create()));

  it('are opened for the connection and each session that it uses or is given (R-HTTP-12)', async () => {
    const { client, server } = await connected();
    void client.transport.send(requestFrame(1, 'session/new', {}));
    void client.transport.send(requestFrame(2, 'session/load', { sessionId: 'old' }));
    await server.when(() => server.streams.size === 2);
    server.send(`id: e1\ndata: ${resultFrame(1, { sessionId: 'new' })}\n\n`);
    await server.when(() => server.streams.size === 3);
    expect([...server.streams.keys()]).toEqual(['', 'old', 'new']);
    for (const { headers } of server.of('GET')) {
      expect(headers).toMatchObject({
        'acp-connection-id': 'c1',
        accept: 'text/event-stream',
        'last-event-id': 'start',
      });
    }
  });

  it('are read through any cut of the text, and resumed behind the last whole event (B168)', async () => {
    const { client, server } = await connected();
    await server.when(() => server.streams.size === 1);
    const frame = notificationFrame('_n', { text: 'ü😀' });
    const events = Buffer.from(`: hi\r\n\r\nid: e1\r\ndata: ${frame}\r\n\r\nid: e2\ndata: "cut`);
    const stream = server.streams.get('');
    for (const byte of events) {
      stream?.write(Buffer.of(byte));
      await turn();
    }
    expect(await next(client)).toEqual([frame]);
    stream?.destroy();
    await server.when(() => server.of('GET').length === 2);
    expect(server.of('GET')[1]?.headers['last-event-id']).toBe('e1');
  });

  it('are opened again after a polite end as after a cut (B151)', async () => {
    const { server } = await connected();
    await server.when(() => server.streams.size === 1);
    server.send(`id: e9\ndata: ${notificationFrame('_n')}\n\n`);
    server.streams.get('')?.end();
    await server.when(() => server.of('GET').length === 2);
    expect(server.of('GET')[1]?.headers['last-event-id']).toBe('e9');
  });

  it.each([401, 403, 404, 409, 410, 400, 406])(
    'end the transport with the status when they are answered by %i (B140, B150)',
    async (status) => {
      const { client, server } = await connected(({ method, response }) => {
        if (method !== 'GET') return false;
        response.writeHead(status, { 'Content-Type': 'application/problem+json' });
        response.end('{"detail":"because","reason":"gap"}');
        return true;
      });
      await expect(takeFrames(client.transport)).rejects.toMatchObject({ code: 'refused', status });
      expect(server.of('GET')).toHaveLength(1);
    },
  );

  it.each<[string, Script]>([
    [
      'answered by a page',
      ({ response }) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('hi'),
    ],
    ['answered by 502', ({ response }) => void response.writeHead(502).end()],
    ['accepted and dropped', ({ response }) => void openStream(response).destroy()],
    ['accepted and ended', ({ response }) => void openStream(response).end()],
    ['dropped', ({ response }) => void response.destroy()],
  ])('end the transport after a few tries when they are %s (B140, B150)', async (_, script) => {
    const { client, server } = await connected((request) =>
      request.method === 'GET' ? script(request) : false,
    );
    await expect(takeFrames(client.transport)).rejects.toMatchObject({ code: 'unreachable' });
    expect(server.of('GET')).toHaveLength(FAST.triesMax);
  });

  it('wait longer after each failure, never longer than the bound, and with jitter', async () => {
    const clock = new SimulatedClock();
    const waits: number[] = [];
    const { server } = await connected(
      ({ method, response }) => {
        if (method !== 'GET') return false;
        response.writeHead(502).end();
        return true;
      },
      {
        random: () => 0.5,
        limits: { triesMax: 9 },
        clock: {
          now: () => clock.now(),
          elapsed: () => clock.elapsed(),
          setTimer: (delayMs, onDue) => {
            if (delayMs > 20_000) return clock.setTimer(delayMs, onDue);
            waits.push(delayMs);
            setImmediate(onDue);
            return () => undefined;
          },
        },
      },
    );
    await server.when(() => server.of('GET').length === 9);
    expect(waits.slice(0, 8)).toEqual([250, 500, 1000, 2000, 4000, 7500, 7500, 7500]);
  });

  it('are opened again when nothing at all has come for 45 s (B148)', async () => {
    const clock = new SimulatedClock();
    const { server } = await connected(undefined, { clock, random: () => 0 });
    await server.when(() => server.streams.size === 1);
    while (clock.timerCount < 1) await turn();
    clock.advance(44_999);
    server.send(':\n\n');
    // The comment has to have been read before time goes on.
    for (let i = 0; i < 20; i++) await turn();
    clock.advance(44_999);
    expect(server.of('GET')).toHaveLength(1);
    clock.advance(1);
    while (server.of('GET').length < 2) {
      clock.advance(0);
      await turn();
    }
    expect(server.of('GET')[1]?.headers['last-event-id']).toBe('start');
  });

  it('end the transport when they were lost and the server gives no ids, so that nothing is missing without a word', async () => {
    const { client, server } = await connected(({ body, response }) => {
      if (!body.includes('"initialize"')) return false;
      response.writeHead(200, { 'Acp-Connection-Id': 'c1' }).end(INITIALIZED);
      return true;
    });
    await server.when(() => server.streams.size === 1);
    server.streams.get('')?.destroy();
    await expect(takeFrames(client.transport)).rejects.toMatchObject({ code: 'not_resumable' });
    expect(server.of('GET')).toHaveLength(1);
  });

  it('end the transport when a message is longer than the limit, and do not ask for it again (B145)', async () => {
    const { client, server } = await connected(undefined, {
      limits: { ...FAST, frameLengthMax: 1000 },
    });
    await server.when(() => server.streams.size === 1);
    server.send(`data: "${'x'.repeat(3000)}"`);
    await expect(takeFrames(client.transport)).rejects.toMatchObject({ code: 'too_large' });
    expect(server.of('GET')).toHaveLength(1);
  });

  it('end the transport when somebody else has taken one over', async () => {
    const { client, server } = await connected();
    await server.when(() => server.streams.size === 1);
    server.streams.get('')?.end(': replaced\n\n');
    await expect(takeFrames(client.transport)).rejects.toMatchObject({ code: 'replaced' });
    expect(server.of('GET')).toHaveLength(1);
  });

  it('end without an error when the server says that the connection is closed', async () => {
    const { client, server } = await connected();
    void client.transport.send(notificationFrame('_n', { sessionId: 's' }));
    await server.when(() => server.streams.size === 2);
    server.streams.get('')?.end(': closed\n\n');
    const last = notificationFrame('_last');
    server.streams.get('s')?.end(`id: 1\ndata: ${last}\n\n: closed\n\n`);
    expect(await takeFrames(client.transport)).toEqual([last]);
    expect(() => client.transport.send(INITIALIZE)).toThrow('closed');
  });

  it('are left with the session, and read on behind the same place when it is used again', async () => {
    const { client, server } = await connected();
    void client.transport.send(requestFrame(1, 'session/close', { sessionId: 's' }));
    await server.when(() => server.streams.size === 2);
    const answer = resultFrame(1, {});
    server.send(`id: e5\ndata: ${answer}\n\n`, 's');
    expect(await next(client)).toEqual([answer]);
    const closed = new Promise((resolve) => server.streams.get('s')?.on('close', resolve));
    await closed;
    void client.transport.send(requestFrame(2, 'session/load', { sessionId: 's' }));
    await server.when(() => server.of('GET').length === 3);
    expect(server.of('GET')[2]?.headers['last-event-id']).toBe('e5');
  });
});

describe.each(FETCH_KINDS)('the POSTs of a client by $by', ({ create }) => {
  beforeEach(() => void (fetch = create()));

  it('keep the order of a session, and do not wait for those of others (R-HTTP-18, B147)', async () => {
    const held: (() => void)[] = [];
    const { client, server } = await connected(({ body, response }) => {
      if (!body.includes('_slow')) return false;
      held.push(() => void response.writeHead(202).end());
      return true;
    });
    const frames = [
      notificationFrame('_slow', { sessionId: 'a' }),
      notificationFrame('_next', { sessionId: 'a' }),
      notificationFrame('_other', { sessionId: 'b' }),
      notificationFrame('_own'),
    ];
    for (const frame of frames) void client.transport.send(frame);
    await server.when(() => server.posted.length === 3);
    expect(server.posted.sort()).toEqual([frames[0], frames[2], frames[3]].sort());
    held[0]?.();
    await server.when(() => server.posted.length === 4);
    expect(server.posted[3]).toBe(frames[1]);
  });

  it('are at most eight at a time, beside answers and cancels', async () => {
    const { client, server } = await connected(({ body }) => body.includes('_held'), {
      limits: { ...FAST, closeMs: 50 },
    });
    for (let i = 0; i < 20; i++) {
      void client.transport.send(notificationFrame('_held', { sessionId: `s${i}` }));
    }
    void client.transport.send(resultFrame(9, {}));
    void client.transport.send(notificationFrame('session/cancel', { sessionId: 'other' }));
    void client.transport.send(notificationFrame('$/cancel_request', { requestId: 77 }));
    await server.when(() => server.posted.length === 11);
    for (let i = 0; i < 20; i++) await turn();
    expect(server.posted.filter((body) => body.includes('_held'))).toHaveLength(8);
  });

  it('send a cancel behind what it cancels', async () => {
    const held: (() => void)[] = [];
    const { client, server } = await connected(({ body, response }) => {
      if (!body.includes('session/prompt')) return false;
      held.push(() => void response.writeHead(202).end());
      return true;
    });
    void client.transport.send(requestFrame(1, 'session/prompt', { sessionId: 'a' }));
    void client.transport.send(notificationFrame('session/cancel', { sessionId: 'a' }));
    void client.transport.send(requestFrame(2, 'session/prompt', { sessionId: 'b' }));
    void client.transport.send(notificationFrame('$/cancel_request', { requestId: 2 }));
    await server.when(() => held.length === 2);
    for (let i = 0; i < 20; i++) await turn();
    expect(server.posted).toHaveLength(2);
    for (const release of held) release();
    await server.when(() => server.posted.length === 4);
  });

  it('name the session of each message, also of answers (R-HTTP-10)', async () => {
    const { client, server } = await connected();
    void client.transport.send(requestFrame(1, 'session/prompt', { sessionId: 's' }));
    await server.when(() => server.streams.size === 2);
    server.send(`id: 1\ndata: ${requestFrame('ask', '_ask', {})}\n\n`, 's');
    await next(client);
    void client.transport.send(resultFrame('ask', {}));
    void client.transport.send(requestFrame(2, 'session/list', {}));
    await server.when(() => server.posted.length === 3);
    const posts = server.of('POST').slice(1);
    const sessions = posts.map(({ body, headers }) => [
      (JSON.parse(body) as { id: unknown }).id,
      headers['acp-session-id'],
    ]);
    expect(sessions.sort()).toEqual([
      [1, 's'],
      [2, undefined],
      ['ask', 's'],
    ]);
  });

  it('are repeated with the same key when their answer is lost (B154)', async () => {
    let count = 0;
    const { client, server } = await connected(({ body, response }) => {
      if (!body.includes('_once') || ++count > 2) return false;
      if (count === 1) response.destroy();
      else response.writeHead(502).end();
      return true;
    });
    void client.transport.send(requestFrame(1, '_once'));
    await server.when(() => count === 3);
    const posts = server.of('POST').slice(1);
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(server.posted).size).toBe(1);
  });

  it.each<[string, (request: ScriptedRequest) => unknown]>([
    ['lost', ({ response }) => response.destroy()],
    ['502', ({ response }) => response.writeHead(502).end()],
  ])(
    'are not repeated when their answer is %s and the server does not know keys',
    async (_, onPost) => {
      const { client, server } = await connected(withoutKeys(onPost));
      void client.transport.send(requestFrame(1, '_once'));
      const [answer] = await next(client);
      expect(JSON.parse(String(answer))).toMatchObject({ id: 1, error: { code: -32603 } });
      expect(server.posted).toHaveLength(1);
    },
  );

  it('end the transport when they get no answer however often they are repeated', async () => {
    const { client, server } = await connected(({ body, response }) => {
      if (!body.includes('_once')) return false;
      response.destroy();
      return true;
    });
    void client.transport.send(requestFrame(1, '_once'));
    await expect(takeFrames(client.transport)).rejects.toMatchObject({ code: 'unreachable' });
    expect(server.posted).toHaveLength(FAST.triesMax);
  });

  it('wait as long as the server asks when it has no room', async () => {
    let count = 0;
    const { client, server } = await connected(({ body, response }) => {
      if (!body.includes('_busy') || ++count > 1) return false;
      response.writeHead(503, { 'Retry-After': '0' }).end();
      return true;
    });
    void client.transport.send(notificationFrame('_busy'));
    await server.when(() => count === 2);
  });

  it('answer a request that is refused with the error, and the link stays (B145, B146)', async () => {
    const { client, server } = await connected(({ body, response }) => {
      if (body.includes('_large')) {
        response.writeHead(413).end('{"detail":"over the limit of 9 bytes"}');
      } else if (body.includes('_odd')) {
        response.writeHead(400).end('{"error":{"code":-32600,"message":"odd","data":[1]}}');
      } else {
        return false;
      }
      return true;
    });
    void client.transport.send(requestFrame(1, '_large'));
    expect(JSON.parse(String((await next(client))[0]))).toMatchObject({
      id: 1,
      error: { data: { status: 413 }, message: expect.stringContaining('9 bytes') as string },
    });
    void client.transport.send(requestFrame(2, '_odd'));
    expect(JSON.parse(String((await next(client))[0]))).toEqual({
      jsonrpc: '2.0',
      id: 2,
      error: { code: -32600, message: 'odd', data: [1] },
    });
    void client.transport.send(requestFrame(3, '_fine'));
    await server.when(() => server.posted.length === 3);
    expect(server.posted.filter((body) => body.includes('_large'))).toHaveLength(1);
  });

  it('end the transport when the connection is unknown by now (B139)', async () => {
    const { client } = await connected(({ body, response }) => {
      if (!body.includes('_late')) return false;
      response.writeHead(404).end();
      return true;
    });
    void client.transport.send(requestFrame(1, '_late'));
    await expect(takeFrames(client.transport)).rejects.toMatchObject({
      code: 'refused',
      status: 404,
    });
  });

  it('are asked to wait, and refused, when the server does not take them', async () => {
    const { client } = await connected(({ body }) => body.includes('_held'), {
      limits: { ...FAST, highWaterBytes: 100, queuedBytesMax: 200, closeMs: 50 },
    });
    const frame = notificationFrame('_held', { text: 'x'.repeat(60) });
    expect(client.transport.send(frame)).toBeInstanceOf(Promise);
    expect(() => client.transport.send(frame)).toThrow('queue_full');
  });

  it('do not go to a session whose id no header can carry', async () => {
    const { client, server } = await connected();
    expect(() => client.transport.send(notificationFrame('_n', { sessionId: 'ä' }))).toThrow(
      'ASCII',
    );
    void client.transport.send(notificationFrame('_n', { sessionId: 'a b~' }));
    await server.when(() => server.posted.length === 1);
  });
});

/** A server that says nothing of streams that can be resumed and POSTs that can be repeated. */
function withoutKeys(onPost: (request: ScriptedRequest) => unknown): Script {
  return (request) => {
    if (request.body.includes('"initialize"')) {
      request.response.writeHead(200, { 'Acp-Connection-Id': 'c1' }).end(INITIALIZED);
      return true;
    }
    if (!request.body.includes('_once')) return false;
    onPost(request);
    return true;
  };
}

type Client = ReturnType<typeof connectHttp> & {
  readonly frames: AsyncIterator<readonly unknown[]>;
};

/** What the transport receives next. */
async function next(client: Client): Promise<readonly unknown[]> {
  const { value } = (await client.frames.next()) as { value: readonly unknown[] };
  return value;
}

/** A client whose initialize has been answered. */
async function connected(
  script?: Script,
  options?: HttpClientOptions,
): Promise<{ client: Client; server: ScriptedServer }> {
  const started = await start(script, options);
  void started.client.transport.send(INITIALIZE);
  expect(await next(started.client)).toEqual([INITIALIZED]);
  return started;
}

async function start(
  script: Script = () => false,
  options: HttpClientOptions = {},
): Promise<{ client: Client; server: ScriptedServer }> {
  const server = await ScriptedServer.start((request) => script(request) ?? true);
  running.push(() => server.stop());
  const client = connectHttp(server.url, { limits: FAST, fetch, ...options });
  running.push(() => client.transport.close());
  const { transport } = client;
  const frames = transport.receive()[Symbol.asyncIterator]();
  return {
    server,
    client: {
      get connectionId() {
        return client.connectionId;
      },
      // Tests read by single steps and to the end.
      transport: {
        send: (frame) => transport.send(frame),
        receive: () => ({ [Symbol.asyncIterator]: () => frames }),
        close: () => transport.close(),
      },
      frames,
    },
  };
}
