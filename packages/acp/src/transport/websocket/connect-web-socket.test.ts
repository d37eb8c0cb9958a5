import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer, type ServerOptions, type WebSocket as WsSocket } from 'ws';
import { EndpointStage } from '../../../../../tests/support/web-socket/endpoint-stage.ts';
import { failureOf, takeFrames } from '../../../../../tests/support/web-socket/frames.ts';
import { SOCKET_KINDS } from '../../../../../tests/support/web-socket/socket-kinds.ts';
import { connectWebSocket, type WebSocketOptions } from './connect-web-socket.ts';
import { openNodeSocket, type NodeSocketOptions } from './open-node-socket.ts';
import { WebSocketError } from './web-socket-error.ts';
import type { WebSocketLike } from './web-socket-like.ts';

const disposals: (() => unknown)[] = [];

afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

describe('connecting over WebSocket', () => {
  it('gives the id of the connection where the socket shows the headers', async () => {
    const stage = await startStage();
    const { connectionId } = await connectNode(stage.url);
    expect(connectionId).toBe((await stage.nextConnection()).id);
    expect(await connectWebSocket(stage.url)).not.toHaveProperty('connectionId');
  });

  it('sends headers, and gives the cookies and the id of the response', async () => {
    const { url, requests } = await startServer({}, (headers) => {
      headers.push('Set-Cookie: lb=1; Path=/', 'Set-Cookie: b=2', 'Acp-Connection-Id: c-7');
    });
    const upgrades: unknown[] = [];
    await connectNode(url, {
      headers: { Authorization: 'Bearer t', Cookie: 'lb=0' },
      onUpgrade: (upgrade) => upgrades.push(upgrade),
    });
    expect(requests[0]).toMatchObject({ authorization: 'Bearer t', cookie: 'lb=0' });
    expect(requests[0]).not.toHaveProperty('sec-websocket-extensions');
    expect(upgrades).toEqual([{ connectionId: 'c-7', setCookies: ['lb=1; Path=/', 'b=2'] }]);
  });

  it('keeps a frame that comes in one piece with the response to the upgrade', async () => {
    const url = await startTcp((socket) => {
      socket.once('data', (request) => {
        const key = /Sec-WebSocket-Key: (.*)\r\n/i.exec(String(request))?.[1] ?? '';
        socket.write(Buffer.concat([switching(key), Buffer.from([0x81, 2]), Buffer.from('[]')]));
      });
    });
    const { transport } = await connectNode(url);
    expect(await takeFrames(transport, 1)).toEqual(['[]']);
  });
});

describe('a server that cannot be connected to', () => {
  it.each([401, 403, 404, 429, 503])('is told apart by its status: %i', async (status) => {
    const url = await startHttp((_request, response) => response.writeHead(status).end('no'));
    expect(await errorOf(connectNode(url))).toMatchObject({ code: 'refused', status });
  });

  it('says how long it asks to wait', async () => {
    const url = await startHttp((_request, response) => {
      response.writeHead(503, { 'Retry-After': '7' }).end();
    });
    expect(await errorOf(connectNode(url))).toMatchObject({ retryAfterMs: 7000 });
  });

  it('gets no credentials to another place: no redirect is followed', async () => {
    const url = await startHttp((_request, response) => {
      response.writeHead(302, { Location: 'http://127.0.0.1:1/elsewhere' }).end();
    });
    const headers = { Authorization: 'Bearer t' };
    const error = await errorOf(connectNode(url, { headers }));
    expect(error).toMatchObject({ code: 'refused', status: 302 });
  });

  it('is unreachable for a socket that hides the status', async () => {
    const url = await startHttp((_request, response) => response.writeHead(401).end());
    const error = await errorOf(connectWebSocket(url));
    expect(error).toMatchObject({ code: 'unreachable', status: undefined });
  });

  it.each(Object.entries(SOCKET_KINDS))(
    'is unreachable when nobody listens: %s',
    async (...kind) => {
      const stage = await EndpointStage.start();
      const { url } = stage;
      await stage.dispose();
      const error = await errorOf(connectWebSocket(url, { createSocket: kind[1] }));
      expect(error).toMatchObject({ code: 'unreachable' });
    },
  );

  it.each(Object.entries(SOCKET_KINDS))(
    'is given up when it never answers: %s',
    async (...kind) => {
      const gone = Promise.withResolvers<void>();
      const url = await startTcp((socket) => socket.on('close', () => gone.resolve()).resume());
      const options = { createSocket: kind[1], handshakeMs: 50 };
      expect(await errorOf(connectWebSocket(url, options))).toMatchObject({ code: 'timeout' });
      await gone.promise;
    },
  );

  it('is left alone when the caller calls it off', async () => {
    const connected = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const url = await startTcp((socket) => {
      connected.resolve();
      socket.on('close', () => gone.resolve()).resume();
    });
    const abort = new AbortController();
    const error = errorOf(
      connectWebSocket(url, { createSocket: openNodeSocket, signal: abort.signal }),
    );
    await connected.promise;
    abort.abort(new Error('no longer needed'));
    expect(await error).toMatchObject({ code: 'aborted', cause: { message: 'no longer needed' } });
    await gone.promise;
  });

  it('is not even tried when the signal is aborted beforehand', async () => {
    const createSocket = vi.fn<(url: string) => WebSocketLike>();
    const options = { signal: AbortSignal.abort(), createSocket };
    const error = await errorOf(connectWebSocket('ws://127.0.0.1:1', options));
    expect(error).toMatchObject({ code: 'aborted' });
    expect(createSocket).not.toHaveBeenCalled();
  });

  it.each([undefined, openNodeSocket])('has a valid address, %s', async (createSocket) => {
    const options = createSocket === undefined ? {} : { createSocket };
    for (const url of ['not a url', 'ftp://name:secret@host/acp?token=secret', '']) {
      const error = await errorOf(connectWebSocket(url, options));
      expect(error).toMatchObject({ code: 'not_created' });
      expect(error.message).not.toContain('secret');
    }
  });

  it('is named in errors without what may be secret', async () => {
    const url = await startHttp((_request, response) => response.writeHead(401).end());
    const { host } = new URL(url);
    const error = await errorOf(connectNode(`ws://name:secret@${host}/acp?token=secret`));
    expect(error.message).toBe(
      `refused: ws://${host}/acp refused the connection with HTTP status 401`,
    );
  });
});

describe('the limits of a client', () => {
  it.each(['highWaterBytes', 'queuedBytesMax', 'stallMs', 'pingMs', 'closeMs', 'handshakeMs'])(
    'do not take zero for "none": %s',
    async (name) => {
      for (const value of [0, -1, 1.5, NaN, 2 ** 31]) {
        await expect(connectWebSocket('ws://127.0.0.1:1', { [name]: value })).rejects.toThrow(
          RangeError,
        );
      }
    },
  );

  it('do not take zero for "none": frameBytesMax', () => {
    expect(() => openNodeSocket('ws://127.0.0.1:1', { frameBytesMax: 0 })).toThrow(RangeError);
  });
});

describe('the end of a connection', () => {
  it.each([1000, 1001])('is ordinary with code %i', async (code) => {
    const { url } = await startServer({}, undefined, (socket) => socket.close(code));
    const { transport } = await connectNode(url);
    expect(await takeFrames(transport)).toEqual([]);
  });

  it('is ordinary without a code', async () => {
    const { url } = await startServer({}, undefined, (socket) => socket.close());
    const { transport } = await connectNode(url);
    expect(await takeFrames(transport)).toEqual([]);
  });

  it.each(Object.entries(SOCKET_KINDS))('tells the code and the reason: %s', async (...kind) => {
    const { url } = await startServer({}, undefined, (socket) => socket.close(4401, 'expired'));
    const { transport } = await connectWebSocket(url, { createSocket: kind[1] });
    expect(await failureOf(transport)).toMatchObject({
      name: 'WebSocketError',
      code: 'closed',
      closeCode: 4401,
      reason: 'expired',
    });
  });

  it.each(Object.entries(SOCKET_KINDS))('is no success when it is cut: %s', async (...kind) => {
    const { url } = await startServer({}, undefined, (socket) => {
      socket.send('{}', () => socket.terminate());
    });
    const { transport } = await connectWebSocket(url, { createSocket: kind[1] });
    expect(await failureOf(transport)).toMatchObject({ code: 'cut' });
    expect(() => transport.send('{}')).toThrow(/^closed: .*broke without a word/);
  });

  it('comes with a reason for a message over the limit, on both sides', async () => {
    const closed = Promise.withResolvers<[number, string]>();
    const { url } = await startServer({}, undefined, (socket) => {
      socket.on('close', (code, reason) => closed.resolve([code, String(reason)]));
      socket.send('x'.repeat(1000));
      socket.send('x'.repeat(1001));
    });
    const { transport } = await connectNode(url, { frameBytesMax: 1000 });
    expect(await failureOf(transport)).toMatchObject({ code: 'violation', closeCode: 1009 });
    expect(await closed.promise).toEqual([1009, 'a message has more than 1000 bytes']);
  });

  it('is noticed when the server falls silent', async () => {
    const { url } = await startServer({ autoPong: false });
    const { transport } = await connectNode(url, {}, { pingMs: 20 });
    expect(await failureOf(transport)).toMatchObject({ code: 'unresponsive' });
  });

  it('does not come by itself: a server that only answers pings is there', async () => {
    const fifthPing = Promise.withResolvers<void>();
    let pings = 0;
    const { url } = await startServer({}, undefined, (socket) => {
      socket.on('ping', () => {
        if (++pings === 5) fifthPing.resolve();
      });
    });
    const { transport } = await connectNode(url, {}, { pingMs: 20 });
    await fifthPing.promise;
    void transport.send('{}');
    await transport.close();
  });

  it('comes when more arrives than is taken, where the socket cannot be paused', async () => {
    const closed = Promise.withResolvers<[number, string]>();
    const { url } = await startServer({}, undefined, (socket) => {
      socket.on('close', (code, reason) => closed.resolve([code, String(reason)]));
      for (let i = 0; i < 20; i++) socket.send('x'.repeat(1000));
    });
    const { transport } = await connectWebSocket(url, { queuedBytesMax: 10_000 });
    expect(await closed.promise).toEqual([4408, 'slow']);
    expect(await failureOf(transport)).toMatchObject({ code: 'overrun' });
  });

  it('is not waited for longer than allowed', async () => {
    const { url } = await startServer({}, undefined, (socket) => socket.pause());
    const { transport } = await connectNode(url, {}, { closeMs: 50 });
    await transport.close();
    expect(await takeFrames(transport)).toEqual([]);
  });
});

async function startStage(): Promise<EndpointStage> {
  const stage = await EndpointStage.start();
  disposals.push(() => stage.dispose());
  return stage;
}

async function connectNode(
  url: string,
  options: NodeSocketOptions = {},
  more: WebSocketOptions = {},
) {
  const client = await connectWebSocket(url, {
    closeMs: 500,
    ...more,
    createSocket: (address) => openNodeSocket(address, options),
  });
  disposals.push(() => client.transport.close());
  return client;
}

async function errorOf(attempt: Promise<unknown>): Promise<WebSocketError> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof WebSocketError) return error;
  throw new Error(`expected a WebSocketError, got ${String(error)}`);
}

/** A server of the `ws` package with no ACP in it. */
async function startServer(
  options: ServerOptions,
  onHeaders?: (headers: string[]) => void,
  onSocket?: (socket: WsSocket) => void,
) {
  const requests: object[] = [];
  const webSockets = new WebSocketServer({ noServer: true, ...options });
  if (onHeaders !== undefined) webSockets.on('headers', onHeaders);
  const server = createServer();
  server.on('upgrade', (request, stream: Duplex, head: Buffer) => {
    requests.push(request.headers);
    webSockets.handleUpgrade(request, stream, head, (socket) => {
      disposals.push(() => socket.terminate());
      onSocket?.(socket);
    });
  });
  return { url: await listen(server), requests };
}

function startHttp(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  return listen(server);
}

async function startTcp(onSocket: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => {
    disposals.push(() => socket.destroy());
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  return listen(server as Server);
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  disposals.push(() => server.close());
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
}

function switching(key: string): Buffer {
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  return Buffer.from(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
  );
}
