import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket as WsSocket } from 'ws';
import {
  EndpointStage,
  type StageOptions,
} from '../../../../../tests/support/web-socket/endpoint-stage.ts';
import {
  failureOf,
  INITIALIZE,
  takeFrames,
} from '../../../../../tests/support/web-socket/frames.ts';
import { turn } from '../../../../../tests/support/scripted-transport.ts';
import { AgentConnection } from '../../connection/agent-connection.ts';
import type { Frame, Transport } from '../../jsonrpc/transport.ts';
import { AcpWebSocketEndpoint } from './acp-web-socket-endpoint.ts';

const disposals: (() => unknown)[] = [];

afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

describe('an upgrade', () => {
  it('is answered with the id of the connection, another one each time (R-WS-01)', async () => {
    const stage = await start();
    const [one, other] = [await open(stage), await open(stage)];
    expect(one.id).toBe((await stage.nextConnection()).id);
    expect(other.id).toBe((await stage.nextConnection()).id);
    expect(one.id).not.toBe(other.id);
  });

  it('brings its context to the owner', async () => {
    const stage = await start();
    await open(stage, { who: 'ada' });
    const { context, kind } = await stage.nextConnection();
    expect({ context, kind }).toEqual({ context: 'ada', kind: 'websocket' });
  });

  it('is refused with 400 when it is none', async () => {
    const stage = await start();
    const response = await upgradeRequest(stage.url, { 'Sec-WebSocket-Key': 'short' });
    expect(response.statusCode).toBe(400);
    expect(stage.endpoint.connectionCount).toBe(0);
  });

  it('is refused with 503 while there is no room, and taken again when there is', async () => {
    const stage = await start({ limits: { connectionsMax: 1 } });
    const { socket } = await open(stage);
    const { transport } = await stage.nextConnection();
    const response = await upgradeRequest(stage.url);
    expect(response.statusCode).toBe(503);
    expect(response.headers).toMatchObject({ 'retry-after': '5' });
    expect(stage.log).toEqual([
      'an upgrade was refused: there are 1 WebSocket connections already',
    ]);
    socket.close();
    await takeFrames(transport);
    await countOf(stage, 0);
    await open(stage);
  });

  it('ends with 1011 when its owner cannot take it in', async () => {
    const stage = await start({
      accept: () => {
        throw new Error('no agent');
      },
    });
    const { closed } = await open(stage);
    expect(await closed).toEqual([1011, 'internal error']);
    expect(stage.log[0]).toMatch(
      /^the WebSocket connection \S+ was not accepted: Error: no agent$/,
    );
  });
});

describe('what a client sends', () => {
  it('is ignored when it is binary, and the connection goes on (R-WS-04)', async () => {
    const stage = await start();
    const { socket } = await open(stage);
    socket.send(Buffer.from(INITIALIZE));
    socket.send(INITIALIZE);
    socket.send(Buffer.from([1, 2, 3]));
    socket.send('{"after":1}');
    const { transport } = await stage.nextConnection();
    expect(await takeFrames(transport, 2)).toEqual([INITIALIZE, '{"after":1}']);
    expect(stage.endpoint.ignoredCount).toBe(2);
  });

  it('is answered with -32700 when it is no JSON, before and after initialize (R-WS-07)', async () => {
    const stage = await start({ accept: serveAgent });
    const { socket, texts } = await open(stage);
    socket.send('{"jsonrpc":');
    socket.send('[]');
    socket.send('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}');
    socket.send('nonsense');
    socket.send('{"jsonrpc":"2.0","id":2,"method":"session/list","params":{}}');
    const answers = await texts.take(4);
    expect(answers.map((text) => JSON.parse(text) as unknown)).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: 1, result: {} },
      { id: null, error: { code: -32700 } },
      { id: 2, error: { code: -32601 } },
    ]);
  });

  it.each([
    ['a request', '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}'],
    ['a notification', '{"jsonrpc":"2.0","method":"initialize"}'],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}'],
  ])('ends with 1002 when it begins with %s (R-WS-02)', async (_name, text) => {
    const stage = await start();
    const { socket, closed } = await open(stage);
    socket.send(text);
    socket.send(INITIALIZE);
    const { transport } = await stage.nextConnection();
    const failed = await failureOf(transport);
    expect(failed).toMatchObject({ code: 'violation', closeCode: 1002 });
    expect(await closed).toEqual([1002, 'the first message must be an initialize request']);
  });

  it('ends with 1008 when initialize does not come in time', async () => {
    const stage = await start({ limits: { handshakeMs: 50 } });
    const { socket, closed } = await open(stage);
    socket.send('no message');
    expect(await closed).toEqual([1008, 'handshake']);
    await countOf(stage, 0);
  });

  it('has no time limit once initialize has come', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const stage = await start();
      const { socket, texts } = await open(stage);
      const { transport } = await stage.nextConnection();
      socket.send(INITIALIZE);
      await takeFrames(transport, 1);
      vi.advanceTimersByTime(3_600_000);
      void transport.send('{"still":"there"}');
      expect(await texts.take(1)).toEqual(['{"still":"there"}']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends with 1007 when a text is not UTF-8', async () => {
    const stage = await start();
    const { socket, closed } = await open(stage);
    socket.send(INITIALIZE);
    socket.send(Buffer.from([0xc3, 0x28]), { binary: false });
    expect(await closed).toEqual([1007, 'a text is not UTF-8']);
  });
});

describe('the levels of a message', () => {
  it('are no more than the limit; a deeper one is let in as its beginning only', async () => {
    const stage = await start({ limits: { levelsMax: 10 } });
    const { socket } = await open(stage);
    const nested = (levels: number): string =>
      `{"jsonrpc":"2.0","method":"_x","params":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    const { transport } = await stage.nextConnection();
    for (const text of [nested(11), INITIALIZE, nested(10), nested(11)]) socket.send(text);
    const head = { kind: 'nested', head: nested(11), levelsMax: 10 };
    expect(await takeFrames(transport, 4)).toEqual([head, INITIALIZE, nested(10), head]);
  });
});

describe('the limit of a message (B145)', () => {
  const LIMIT = 100_000;

  it('lets it be met exactly, in one piece and in many', async () => {
    const stage = await start({ limits: { frameBytesMax: LIMIT } });
    const { socket } = await open(stage);
    socket.send(INITIALIZE);
    const texts = [textOf(LIMIT - 1), textOf(LIMIT), textOf(LIMIT)];
    socket.send(texts[0] ?? '');
    socket.send(texts[1] ?? '');
    sendInPieces(socket, texts[2] ?? '', 1000);
    const { transport } = await stage.nextConnection();
    expect(await takeFrames(transport, 4)).toEqual([INITIALIZE, ...texts]);
  });

  it.each([
    ['in one piece', LIMIT + 1],
    ['in many pieces', 1000],
  ])('ends with 1009 and a reason beyond it, %s; nothing else breaks', async (_name, length) => {
    const stage = await start({ limits: { frameBytesMax: LIMIT } });
    const [bad, good] = [await open(stage), await open(stage)];
    const [{ transport }, neighbour] = [await stage.nextConnection(), await stage.nextConnection()];
    for (const { socket } of [bad, good]) socket.send(INITIALIZE);
    sendInPieces(bad.socket, textOf(LIMIT + 1), length);
    expect(await failureOf(transport)).toMatchObject({ code: 'violation', closeCode: 1009 });
    expect(await bad.closed).toEqual([1009, 'a message has more than 100000 bytes']);
    void neighbour.transport.send('{"still":"there"}');
    expect(await good.texts.take(1)).toEqual(['{"still":"there"}']);
    await countOf(stage, 1);
  });

  it('may be less for some clients', async () => {
    const stage = await start({ limits: { frameBytesMax: LIMIT }, frameBytesMaxOf: () => 1000 });
    const { socket, closed } = await open(stage);
    const { transport } = await stage.nextConnection();
    socket.send(INITIALIZE);
    socket.send(textOf(1000));
    expect(await takeFrames(transport, 2)).toHaveLength(2);
    socket.send(textOf(1001));
    expect(await closed).toEqual([1009, 'a message has more than 1000 bytes']);
  });

  it('is never "none": zero is refused', () => {
    const accept = (): object => ({});
    for (const name of ['frameBytesMax', 'connectionsMax', 'handshakeMs', 'pingMs', 'stallMs']) {
      const create = (): unknown => new AcpWebSocketEndpoint({ accept, limits: { [name]: 0 } });
      expect(create, name).toThrow(`${name} must be a whole number`);
    }
  });

  it('is never more than a string can hold', () => {
    const limits = { frameBytesMax: 2 ** 29 };
    expect(() => new AcpWebSocketEndpoint({ accept: () => ({}), limits })).toThrow(RangeError);
  });
});

describe('the end', () => {
  it('of a client ends receiving, with what it sent before (R-WS-05)', async () => {
    const stage = await start();
    const { socket } = await open(stage);
    socket.send(INITIALIZE);
    socket.send('{"last":1}');
    socket.close(1000);
    const { transport } = await stage.nextConnection();
    expect(await takeFrames(transport)).toEqual([INITIALIZE, '{"last":1}']);
    await countOf(stage, 0);
  });

  it('of a client without a word fails receiving', async () => {
    const stage = await start();
    const { socket } = await open(stage);
    const { transport } = await stage.nextConnection();
    socket.terminate();
    expect(await failureOf(transport)).toMatchObject({ code: 'cut' });
    await countOf(stage, 0);
    expect(stage.log).toHaveLength(1);
  });

  it('leaves nothing behind, whichever way clients go (B184)', async () => {
    const stage = await start();
    await open(stage);
    const timersBefore = timerCount();
    for (let i = 0; i < 50; i++) {
      const { socket } = await open(stage);
      if (i % 2 === 0) socket.send(INITIALIZE);
      if (i % 3 === 0) socket.terminate();
      else socket.close();
      await once(socket, 'close');
    }
    await countOf(stage, 1);
    expect(timerCount()).toBeLessThanOrEqual(timersBefore);
  });

  it('of the server comes with 1001, behind what was sent before', async () => {
    const stage = await start();
    const clients = [await open(stage), await open(stage)];
    const transports = [await stage.nextConnection(), await stage.nextConnection()];
    for (const { transport } of transports) {
      for (let i = 0; i < 100; i++) void transport.send(`{"i":${i}}`);
    }
    await Promise.all([stage.endpoint.close(1000), stage.endpoint.close()]);
    for (const { texts, closed } of clients) {
      expect(await texts.take(100)).toHaveLength(100);
      expect(await closed).toEqual([1001, 'the server is shutting down']);
    }
    expect(await takeFrames(transports[0]?.transport as Transport)).toEqual([]);
    expect(stage.endpoint.connectionCount).toBe(0);
    expect((await upgradeRequest(stage.url)).statusCode).toBe(503);
  });

  it('of the server does not wait for a client that does not answer', async () => {
    const stage = await start({ limits: { closeMs: 60_000 } });
    const { socket } = await open(stage);
    socket.pause();
    await stage.endpoint.close(50);
    expect(stage.endpoint.connectionCount).toBe(0);
  });

  it('of a revoked connection is at once, and nobody else is hit', async () => {
    const stage = await start();
    const [eve, ada] = [await open(stage, { who: 'eve' }), await open(stage, { who: 'ada' })];
    const [evil, good] = [await stage.nextConnection(), await stage.nextConnection()];
    eve.socket.send(INITIALIZE);
    eve.socket.send('{"not":"taken yet"}');
    await once(stage.sockets[0] ?? process, 'data');
    void evil.transport.send('{"not":"written yet"}');
    const isEve = ({ context }: { context: string | undefined }): boolean => context === 'eve';
    expect(stage.endpoint.closeWhere(isEve, 4403, 'revoked')).toBe(1);
    expect(() => evil.transport.send('{}')).toThrow(/^closed: /);
    expect(await framesAndFailure(evil.transport)).toMatchObject({
      frames: [],
      failure: { code: 'revoked', closeCode: 4403, reason: 'revoked' },
    });
    expect(await eve.closed).toEqual([4403, 'revoked']);
    expect(eve.texts.all).toEqual([]);
    void good.transport.send('{"for":"ada"}');
    expect(await ada.texts.take(1)).toEqual(['{"for":"ada"}']);
    await countOf(stage, 1);
  });

  it('cannot be told with a code that no close frame may have', async () => {
    const stage = await start();
    for (const code of [0, 999, 1005, 1006, 1015, 2000, 5000, NaN]) {
      expect(() => stage.endpoint.closeWhere(() => true, code, ''), String(code)).toThrow(
        RangeError,
      );
    }
  });

  it('is told with as much of a long reason as there is room for', async () => {
    const stage = await start();
    const { closed } = await open(stage);
    await stage.nextConnection();
    stage.endpoint.closeWhere(() => true, 4000, '😀'.repeat(100));
    expect(await closed).toEqual([4000, '😀'.repeat(30)]);
  });
});

/** What a client has received so far, and how to wait for more. */
class Texts {
  readonly all: string[] = [];
  #wake: (() => void) | undefined;

  add(text: string): void {
    this.all.push(text);
    this.#wake?.();
  }

  async take(count: number): Promise<string[]> {
    while (this.all.length < count) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.all.splice(0, count);
  }
}

async function start(options: StageOptions = {}): Promise<EndpointStage> {
  const stage = await EndpointStage.start(options);
  disposals.push(() => stage.dispose());
  return stage;
}

async function open(stage: EndpointStage, headers: Record<string, string> = {}) {
  const socket = new WsSocket(stage.url, { headers });
  disposals.push(() => socket.terminate());
  const texts = new Texts();
  socket.on('message', (data: Buffer) => texts.add(data.toString()));
  const closed = new Promise<[number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]));
  });
  const upgraded = once(socket, 'upgrade') as Promise<[IncomingMessage]>;
  await once(socket, 'open');
  const [{ headers: given }] = await upgraded;
  return { socket, texts, closed, id: given['acp-connection-id'] };
}

async function upgradeRequest(
  url: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const outgoing = request(url.replace('ws:', 'http:'), {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

async function countOf(stage: EndpointStage, count: number): Promise<void> {
  while (stage.endpoint.connectionCount !== count) await turn();
}

function timerCount(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

async function framesAndFailure(transport: Transport) {
  const frames: Frame[] = [];
  try {
    for await (const batch of transport.receive()) frames.push(...batch);
    return { frames, failure: undefined };
  } catch (failure) {
    return { frames, failure };
  }
}

function serveAgent({ transport }: { transport: Transport }): void {
  new AgentConnection(transport, {
    initialize: () => ({ agentCapabilities: {} }),
    requests: {},
    notifications: {},
  });
}

function textOf(length: number): string {
  return JSON.stringify('x'.repeat(length - 2));
}

function sendInPieces(socket: WsSocket, text: string, length: number): void {
  for (let start = 0; start < text.length; start += length) {
    socket.send(text.slice(start, start + length), { fin: start + length >= text.length });
  }
}
