import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, type RequestListener } from 'node:http';
import { Agent as TlsAgent, createServer as createTlsServer } from 'node:https';
import {
  createServer as createTcpServer,
  Socket,
  type AddressInfo,
  type Server as TcpServer,
} from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { turn } from '../../../../../../tests/support/scripted-transport.ts';
import type { HttpFetchInit, HttpFetchReader, HttpFetchResponse } from './http-fetch.ts';
import { createNodeFetch } from './node-fetch.ts';
import { readText } from './read-text.ts';

const running: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

describe('fetch on node:http', () => {
  it('sends method, headers and body, and gives status, headers and body', async () => {
    const url = await serve((request, response) => {
      const { method, url: target, headers } = request;
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.setHeader(
        'X-Seen',
        `${method} ${target} ${String(headers['x-own'])} ${headers.host}`,
      );
      response.writeHead(207);
      request.pipe(response);
    });
    const response = await createNodeFetch()(`${url}/acp?x=1`, {
      ...post('grüße'),
      headers: { 'X-Own': 'mine' },
    });
    expect(response.status).toBe(207);
    expect(response.headers.get('x-SEEN')).toBe(`POST /acp?x=1 mine ${new URL(url).host}`);
    expect(response.headers.get('X-Absent')).toBeNull();
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await readText(response, 100)).toBe('grüße');
  });

  it('says how long a body is, instead of sending it in chunks', async () => {
    const url = await serve(({ headers }, response) => {
      response.end(`${headers['content-length']} ${headers['transfer-encoding']}`);
    });
    expect(await readText(await createNodeFetch()(url, post('grüße')), 100)).toBe('7 undefined');
  });

  it('goes on the same connection for one request after the other, also behind bodies that nobody reads', async () => {
    const ports = new Set<unknown>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      request.resume().on('end', () => response.writeHead(202).end('unread'));
    });
    const fetch = createNodeFetch();
    for (let i = 0; i < 5; i++) {
      // All addresses of a server have their connections in common.
      const { body } = await fetch(`${url}/${i}`, post('x'));
      await body?.cancel();
    }
    expect(ports.size).toBe(1);
  });

  it('hands a redirection on as it is', async () => {
    let count = 0;
    const url = await serve((_, response) => {
      count++;
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    const response = await createNodeFetch()(url, post('x'));
    expect(response.status).toBe(307);
    expect(response.headers.get('Location')).toBe('/elsewhere');
    await response.body?.cancel();
    expect(count).toBe(1);
  });

  it('reaches an address of IPv6', async () => {
    const url = await serve((_, response) => response.end('six'), { host: '::1' });
    expect(await readText(await createNodeFetch()(url, get()), 100)).toBe('six');
  });

  it.each([
    ['ftp://127.0.0.1/', 'http://'],
    ['http://name:secret@127.0.0.1/', 'credentials'],
    ['nowhere', 'Invalid URL'],
  ])('refuses the address %s', async (url, message) => {
    await expect(createNodeFetch()(url, get())).rejects.toThrow(message);
  });

  it('rejects when nobody listens', async () => {
    const server = createServer();
    const url = await serve(() => undefined, { server });
    server.close();
    await once(server, 'close');
    running.length = 0;
    await expect(createNodeFetch()(url, get())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([
    ['ends the connection', ''],
    [
      'switches to another protocol',
      'HTTP/1.1 101 Other\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ],
    ['says nothing that is HTTP', 'SSH-2.0-OpenSSH\r\n'],
  ])('rejects when the server %s', async (_, answer) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answer));
    });
    const url = await listen(server, '127.0.0.1', 'http');
    await expect(createNodeFetch()(url, get())).rejects.toBeInstanceOf(Error);
  });

  it('rejects with the reason when it is aborted before it begins, or before the answer', async () => {
    const reason = new Error('enough');
    const abort = new AbortController();
    const url = await serve(() => abort.abort(reason));
    const fetch = createNodeFetch();
    await expect(fetch(url, get(abort.signal))).rejects.toBe(reason);
    await expect(fetch(url, get(abort.signal))).rejects.toBe(reason);
    await expect(fetch(url, get(AbortSignal.abort('words')))).rejects.toThrow('words');
  });

  it('ends the reading with the reason when it is aborted, and the connection', async () => {
    const gone = Promise.withResolvers<void>();
    const url = await serve((_, response) => {
      response.on('close', gone.resolve);
      response.write('begin');
    });
    const abort = new AbortController();
    const reader = readerOf(await createNodeFetch()(url, get(abort.signal)));
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('begin');
    const reason = new Error('enough');
    const read = reader.read();
    abort.abort(reason);
    await expect(read).rejects.toBe(reason);
    await gone.promise;
  });

  it('ends the reading with an error when the answer is cut off', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('begin', () => response.destroy());
    });
    const reader = readerOf(await createNodeFetch()(url, get()));
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('begin');
    await expect(reader.read()).rejects.toBeInstanceOf(Error);
  });

  it('listens to a signal no longer than it needs to', async () => {
    const { signal } = new AbortController();
    const { added, removed } = countListeners(signal);
    const url = await serve((_, response) => response.end('all'));
    const fetch = createNodeFetch();
    for (let i = 0; i < 3; i++) await readText(await fetch(url, get(signal)), 100);
    // A connection is put aside a moment after its answer has ended.
    await turn();
    expect([added(), removed()]).toEqual([3, 3]);
  });

  it('gives up a server that says nothing for too long, before its answer and in it', async () => {
    const url = await serve(({ method }, response) => {
      if (method === 'GET') response.write('begin');
    });
    const fetch = createNodeFetch({ silenceMs: 30 });
    await expect(fetch(url, post('x'))).rejects.toThrow('said nothing for 30 ms');
    const reader = readerOf(await fetch(url, get()));
    await reader.read();
    await expect(reader.read()).rejects.toThrow('said nothing for 30 ms');
  });

  it('gives up a connection that is not made in time', async () => {
    class Nowhere extends Agent {
      override createConnection(): Socket {
        return Object.defineProperty(new Socket(), 'connecting', { value: true });
      }
    }
    const agent = new Nowhere();
    const fetch = createNodeFetch({ agent, connectMs: 10 });
    await expect(fetch('http://192.0.2.1/', get())).rejects.toThrow('not reached in 10 ms');
  });

  it('checks the certificate of a server, by the agent that it is given', async () => {
    const [key, cert] = ['key', 'cert'].map((name) =>
      readFileSync(new URL(`../../../../../../tests/fixtures/tls/${name}.pem`, import.meta.url)),
    );
    const server = createTlsServer({ key, cert });
    const url = await serve((_, response) => response.end('safe'), { server, scheme: 'https' });
    await expect(createNodeFetch()(url, get())).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const agent = new TlsAgent({ ca: cert, keepAlive: true });
    running.push(() => Promise.resolve(agent.destroy()));
    expect(await readText(await createNodeFetch({ agent })(url, get()), 100)).toBe('safe');
  });
});

const COMMON = {
  credentials: 'include',
  cache: 'no-store',
  redirect: 'manual',
  headers: {},
} as const;

function get(signal = new AbortController().signal): HttpFetchInit {
  return { ...COMMON, method: 'GET', signal };
}

function post(body: string): HttpFetchInit {
  return { ...COMMON, method: 'POST', body, signal: new AbortController().signal };
}

function readerOf({ body }: HttpFetchResponse): HttpFetchReader {
  if (body === null) throw new Error('there is no body');
  return body.getReader();
}

/** How often listeners were added to the signal and removed from it. */
function countListeners(signal: AbortSignal): Readonly<Record<'added' | 'removed', () => number>> {
  const add = vi.spyOn(signal, 'addEventListener');
  const remove = vi.spyOn(signal, 'removeEventListener');
  return { added: () => add.mock.calls.length, removed: () => remove.mock.calls.length };
}

/** Serves on loopback. @returns the address. */
function serve(
  listener: RequestListener,
  { server = createServer(), host = '127.0.0.1', scheme = 'http' } = {},
): Promise<string> {
  server.on('request', listener);
  return listen(server, host, scheme);
}

async function listen(server: TcpServer, host: string, scheme: string): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, host);
  await once(server, 'listening');
  running.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
