import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectHttp2, constants, type ClientHttp2Session } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ask, codeOf, UPGRADE } from './ask.ts';
import { Box, type BoxOptions } from './box.ts';

const TLS = { key: pem('key'), cert: pem('cert') };

function pem(name: string): string {
  return readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
}

function openBox(scheme: string, options: BoxOptions = {}): Promise<Box> {
  return Box.open({ listen: scheme === 'https' ? { port: 0, tls: TLS } : { port: 0 }, ...options });
}

interface Http2Answer {
  readonly status: unknown;
  readonly body: string;
}

async function askHttp2(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body = '',
): Promise<Http2Answer> {
  const stream = session.request(headers, { endStream: body === '' });
  const answered = once(stream, 'response') as Promise<[Record<string, unknown>]>;
  if (body !== '') stream.end(body);
  const [[response], received] = await Promise.all([answered, text(stream)]);
  return { status: response[':status'], body: received };
}

/** A WebSocket of a client that trusts the server's certificate. */
function connectWebSocket(box: Box, headers: Record<string, string>): WebSocket {
  return new WebSocket(box.url('/acp').replace(/^http/, 'ws'), { headers, ca: TLS.cert });
}

/** Everything that comes on a socket until it ends. */
async function readAll(socket: Socket): Promise<string> {
  let all = '';
  socket.setEncoding('latin1').on('data', (data: string) => (all += data));
  // A connection that is reset has ended like any other.
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return all;
}

describe.for(['http', 'https'])('one port with %s', (scheme) => {
  it('answers HTTP/1.1', async () => {
    const box = await openBox(scheme);
    const answer = await box.ask('/health/live');
    expect([answer.status, answer.text]).toEqual([200, '{"status":"live"}']);
  });

  it('answers HTTP/2, with bodies in both directions', async () => {
    const box = await openBox(scheme);
    const session = connectHttp2(box.url('/'), { ca: TLS.cert });
    expect(await askHttp2(session, { ':path': '/health/live' })).toEqual({
      status: 200,
      body: '{"status":"live"}',
    });
    const { authorization } = await box.token();
    const created = await askHttp2(
      session,
      {
        ':path': '/v1/auth/login-codes',
        ':method': 'POST',
        'content-type': 'application/json',
        authorization,
      },
      JSON.stringify({ role: 'observer' }),
    );
    expect(created.status).toBe(201);
    session.close();
  });

  it('becomes a WebSocket', async () => {
    const box = await openBox(scheme);
    const socket = connectWebSocket(box, await box.token());
    await once(socket, 'open');
    socket.terminate();
    await once(socket, 'close');
  });

  it('answers a request in HTTP/1.1 that would like to be upgraded to something else', async () => {
    const box = await openBox(scheme);
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' };
    expect((await box.ask('/health/live', { headers })).status).toBe(200);
  });

  it('ends a request whose headers trickle in, and says why', async () => {
    const box = await openBox(scheme, { limits: { headersTimeoutMs: 500 } });
    const socket =
      scheme === 'https'
        ? connectTls({ port: box.port, ca: TLS.cert, servername: 'localhost' })
        : connectTcp(box.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: loc');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
  });

  it('closes a connection on which nothing ever comes', async () => {
    const box = await openBox(scheme, { limits: { headersTimeoutMs: 100 } });
    const socket = connectTcp(box.port, '127.0.0.1');
    expect(await readAll(socket)).toBe('');
  });

  it('ends a request whose body trickles in', async () => {
    const box = await openBox(scheme, { limits: { requestTimeoutMs: 200 } });
    const session = connectHttp2(box.url('/'), { ca: TLS.cert });
    const stream = session.request({
      ':path': '/login',
      ':method': 'POST',
      'content-type': 'application/json',
    });
    stream.on('error', () => undefined).write('{"co');
    await once(stream, 'close');
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
    session.close();
  });

  it('closes an HTTP/2 connection that has had no request for a while', async () => {
    const box = await openBox(scheme, { limits: { idleSocketMs: 100 } });
    const session = connectHttp2(box.url('/'), { ca: TLS.cert });
    await once(session, 'close');
  });

  it('keeps streams open however long they last', async () => {
    const limits = {
      idleSocketMs: 500,
      requestTimeoutMs: 500,
      headersTimeoutMs: 500,
      heartbeatMs: 700,
    };
    const box = await openBox(scheme, { limits });
    const session = await box.stage.host.createSession({
      agent: 'scripted',
      cwd: box.stage.folder,
    });
    const client = connectHttp2(box.url('/'), { ca: TLS.cert });
    const stream = client.request({
      ':path': `/v1/sessions/${session.id}/events`,
      accept: 'text/event-stream',
      ...(await box.token()),
    });
    let received = '';
    stream.setEncoding('utf8').on('data', (data: string) => (received += data));
    // Each comment comes behind more time than any of the limits allows.
    while (received.split('\n:\n').length < 3) await once(stream, 'data');
    client.destroy();
  });

  it('takes so many connections and no more', async () => {
    const box = await openBox(scheme, { limits: { socketsMax: 2 } });
    const [one, two] = [connectTcp(box.port, '127.0.0.1'), connectTcp(box.port, '127.0.0.1')];
    await Promise.all([once(one, 'connect'), once(two, 'connect')]);
    expect(await readAll(connectTcp(box.port, '127.0.0.1'))).toBe('');
    one.destroy();
    two.destroy();
  });
});

describe('a key', () => {
  it('that does not fit its certificate is refused', async () => {
    const tls = { key: 'x', cert: TLS.cert };
    const opened = Box.open({ listen: { port: 0, tls } });
    await expect(opened).rejects.toMatchObject({ code: 'options_invalid' });
  });
});

describe('one port on all interfaces', () => {
  it('is reached by the address at which a connection arrives', async () => {
    const box = await Box.open({ listen: { host: '0.0.0.0', port: 0, tls: TLS } });
    expect(box.server.urls).toEqual([`https://127.0.0.1:${box.port}/`]);
    for (const [host, status] of [
      ['127.0.0.2', 200],
      ['localhost', 200],
      ['192.0.2.1', 403],
    ] as const) {
      const headers = { host: `${host}:${box.port}` };
      const answer = await ask(`https://127.0.0.2:${box.port}/health/live`, { headers });
      expect([host, answer.status]).toEqual([host, status]);
    }
  });
});

describe('one port without TLS', () => {
  it('knows HTTP/2 also when its first bytes come one by one', async () => {
    const box = await openBox('http');
    const socket = connectTcp({ port: box.port, host: '127.0.0.1', noDelay: true });
    const first = once(socket, 'data') as Promise<[Buffer]>;
    for (const byte of 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') {
      await new Promise((resolve) => socket.write(byte, resolve));
    }
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    const [settings] = await first;
    // The type of the first frame: SETTINGS.
    expect(settings[3]).toBe(4);
    socket.destroy();
  });

  it('answers what is no HTTP with a problem', async () => {
    const box = await openBox('http');
    const socket = connectTcp(box.port, '127.0.0.1');
    socket.write('hello\r\n\r\n');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 [^]*"code":"invalid_request"/);
  });

  it('refuses headers that are too long', async () => {
    const box = await openBox('http');
    const socket = connectTcp(box.port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('refuses bodies that are too long', async () => {
    const box = await openBox('http', { limits: { bodyBytesMax: 100 } });
    const answer = await box.ask('/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: 'x'.repeat(100) }),
    });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'body_too_large']);
  });

  it('says what is wrong when the port is taken', async () => {
    const box = await openBox('http');
    await expect(openBox('http', { listen: { port: box.port } })).rejects.toMatchObject({
      code: 'listen_failed',
      message: expect.stringContaining('EADDRINUSE') as unknown,
    });
  });
});

describe('an upgrade', () => {
  it.for([
    ['/acp', 101],
    ['/acp/agents/scripted', 101],
    ['/acp/agents/other', 404],
    ['/acp/agents/%ff', 404],
    ['/acp/', 404],
    ['/', 404],
    ['/v1/sessions', 404],
  ] as const)('of %s: %i', async ([path, status]) => {
    const box = await openBox('http');
    const answer = await box.ask(path, { headers: { ...UPGRADE, ...(await box.token()) } });
    expect(answer.status).toBe(status);
    if (status === 404) expect(codeOf(answer)).toMatch(/agent_unknown|not_found/);
  });

  it('wants the name of an agent where none is the default', async () => {
    const box = await Box.open({ defaultAgent: 'missing' });
    const headers = { ...UPGRADE, ...(await box.token()) };
    const answer = await box.ask('/acp', { headers });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'agent_unknown']);
    expect((await box.ask('/acp/agents/scripted', { headers })).status).toBe(101);
  });

  it('is answered over IPv6, too', async () => {
    const box = await openBox('http', { listen: { host: '::1', port: 0 } });
    const headers = { ...UPGRADE, ...(await box.token()) };
    expect((await ask(`http://[::1]:${box.port}/acp`, { headers })).status).toBe(101);
  });
});
