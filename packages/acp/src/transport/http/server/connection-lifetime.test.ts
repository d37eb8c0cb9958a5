import { once } from 'node:events';
import { createConnection } from 'node:net';
import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { SimulatedClock } from '../../../clock/simulated-clock.ts';
import {
  INITIALIZE,
  INITIALIZED,
  takeFrames,
} from '../../../../../../tests/support/http/frames.ts';
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
import { AgentConnection } from '../../../connection/agent-connection.ts';
import { isPeerError } from '../../../jsonrpc/peer-error.ts';

const IDLE_MS = 300_000;
const running: HttpStage[] = [];

afterEach(async () => {
  for (const stage of running.splice(0)) await stage.dispose();
});

describe('a connection that nobody uses', () => {
  it('is freed after five minutes, however many there are (B138)', async () => {
    const clock = new SimulatedClock();
    const { stage, client } = await start({ clock });
    for (let i = 0; i < 50; i++) {
      await Promise.all(Array.from({ length: 100 }, () => client.initialize()));
    }
    expect(stage.endpoint.connectionCount).toBe(5000);
    clock.advance(IDLE_MS - 1);
    expect(stage.endpoint.connectionCount).toBe(5000);
    clock.advance(1);
    expect(stage.endpoint.connectionCount).toBe(0);
    expect(clock.timerCount).toBe(0);
  });

  it('ends for its owner too, with everybody who waits', async () => {
    const clock = new SimulatedClock();
    const { stage, client } = await start({ clock, limits: { highWaterBytes: 1 } });
    const connection = await client.initialize();
    const { transport } = await stage.nextConnection();
    const waits = transport.send(notificationFrame('_waits'));
    expect(waits).toBeInstanceOf(Promise);
    clock.advance(IDLE_MS);
    await waits;
    await takeFrames(transport);
    expect(() => transport.send('{}')).toThrow('closed');
    expect((await client.get(connection)).status).toBe(404);
  });

  it('lives as long as a stream is open or a request runs, and five minutes more', async () => {
    const clock = new SimulatedClock();
    const { stage, client } = await start({ clock });
    const connection = await client.initialize();
    const stream = await client.events(connection);
    clock.advance(10 * IDLE_MS);
    stream.cut();
    while (stage.endpoint.openStreamCount > 0) await turn();
    clock.advance(IDLE_MS - 1);
    await client.post(notificationFrame('_n'), connection);
    clock.advance(IDLE_MS - 1);
    expect(stage.endpoint.connectionCount).toBe(1);
    clock.advance(1);
    expect(stage.endpoint.connectionCount).toBe(0);
  });
});

describe('initialize', () => {
  it('is refused by 503 when there are as many connections as there may be', async () => {
    const { client } = await start({ limits: { connectionsMax: 2 } });
    const first = await client.initialize();
    await client.initialize();
    const refused = await client.post(INITIALIZE);
    expect(await refused.json()).toMatchObject({ status: 503, code: 'too_many_connections' });
    expect(refused.headers.get('Retry-After')).toBe('5');
    await client.request('DELETE', first);
    expect((await client.post(INITIALIZE)).status).toBe(200);
  });

  it('leaves no connection behind when it is answered by an error (B141)', async () => {
    const { stage, client } = await start({
      accept: ({ transport }) => {
        new AgentConnection(transport, {
          initialize: () => {
            throw new Error('not today');
          },
          requests: {},
          notifications: {},
        });
      },
    });
    const response = await client.post(
      requestFrame(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} }),
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: 0, error: { code: -32603 } });
    expect(stage.endpoint.connectionCount).toBe(0);
  });

  it('leaves no connection behind when it is not answered in time', async () => {
    const clock = new SimulatedClock();
    const { stage, client } = await start({ clock, accept: () => ({}) });
    const response = client.post(INITIALIZE);
    await stage.nextConnection();
    clock.advance(60_000);
    expect(await (await response).json()).toMatchObject({
      status: 504,
      code: 'initialize_timeout',
    });
    expect(stage.endpoint.connectionCount).toBe(0);
  });

  it('leaves no connection behind when its client goes away', async () => {
    const { stage } = await start({ accept: () => ({}) });
    const abandoned = request(stage.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
    });
    abandoned.on('error', () => undefined);
    abandoned.end(INITIALIZE);
    const { transport } = await stage.nextConnection();
    abandoned.destroy();
    expect(await takeFrames(transport)).toEqual([INITIALIZE]);
    expect(stage.endpoint.connectionCount).toBe(0);
  });

  it('is answered by 500 when its connection is not accepted, and the log says why', async () => {
    const { stage, client } = await start({
      accept: () => {
        throw new Error('no agent');
      },
    });
    expect((await client.post(INITIALIZE)).status).toBe(500);
    expect(stage.log.join()).toContain('no agent');
    expect(stage.endpoint.connectionCount).toBe(0);
  });
});

describe('closing an endpoint', () => {
  it('lets what is being answered go out, tells the readers, and takes nobody in', async () => {
    let answer = (): void => undefined;
    const { stage, client } = await start({
      accept: ({ transport }) => {
        new AgentConnection(transport, {
          initialize: () => ({ agentCapabilities: {} }),
          requests: {
            'session/prompt': () =>
              new Promise((resolve) => (answer = () => resolve({ stopReason: 'end_turn' }))),
          },
          notifications: {},
        });
      },
    });
    const response = await client.post(
      requestFrame(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} }),
    );
    const id = response.headers.get('Acp-Connection-Id') ?? '';
    const connection = { 'Acp-Connection-Id': id };
    const inSession = { ...connection, 'Acp-Session-Id': 's' };
    const [own, session] = await Promise.all([client.events(connection), client.events(inSession)]);
    const prompt = { sessionId: 's', prompt: [] };
    await client.post(requestFrame(1, 'session/prompt', prompt), inSession);
    const closed = stage.endpoint.close(10_000);
    expect((await client.post(INITIALIZE)).status).toBe(503);
    answer();
    await closed;
    const ofSession = await session.rest();
    expect(ofSession.map(({ data }) => data)).toContain(resultFrame(1, { stopReason: 'end_turn' }));
    expect(ofSession.at(-1)).toEqual({ comment: 'closed' });
    expect((await own.rest()).at(-1)).toEqual({ comment: 'closed' });
  });

  it('waits no longer than it is told to', async () => {
    const clock = new SimulatedClock();
    const { stage, client } = await start({ clock });
    const connection = await client.initialize();
    const stream = await client.events(connection);
    const closed = stage.endpoint.close(1000);
    clock.advance(1000);
    await closed;
    expect((await stream.rest()).at(-1)).toEqual({ comment: 'closed' });
    expect(stage.endpoint.connectionCount).toBe(0);
  });

  it('ends the connections that are chosen at once, with their streams', async () => {
    const { stage, client } = await start();
    const [ann, bob] = [
      await client.initialize({ who: 'ann' }),
      await client.initialize({ who: 'bob' }),
    ];
    const [streamOfAnn, streamOfBob] = [await client.events(ann), await client.events(bob)];
    expect(stage.endpoint.closeWhere(({ context }) => context === 'ann')).toBe(1);
    expect((await streamOfAnn.rest()).at(-1)).toEqual({ comment: 'closed' });
    expect(stage.endpoint.openStreamCount).toBe(1);
    expect((await client.post(notificationFrame('_n'), bob)).status).toBe(202);
    streamOfBob.cut();
  });
});

describe('a client that reads too slowly', () => {
  it('makes its sender wait, is told that it is slow, and may resume', async () => {
    const clock = new SimulatedClock();
    const { stage, client } = await start({ clock });
    const connection = await client.initialize();
    const { transport } = await stage.nextConnection();
    const socket = createConnection(stage.port, '127.0.0.1');
    const id = connection['Acp-Connection-Id'];
    socket.write(
      `GET /acp HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAcp-Connection-Id: ${id}\r\n\r\n`,
    );
    await once(socket, 'readable');
    const frame = notificationFrame('_n', { text: 'x'.repeat(20_000) });
    let wait: Promise<void> | undefined;
    let sentCount = 0;
    while (wait === undefined) {
      wait = transport.send(frame) ?? undefined;
      sentCount++;
      await turn();
      // What the kernel takes is not ours to say.
      expect(sentCount).toBeLessThan(5000);
    }
    // Nobody keeps more than the high-water mark for it, beside what the socket holds.
    clock.advance(30_000);
    expect(stage.endpoint.openStreamCount).toBe(0);
    expect(stage.endpoint.connectionCount).toBe(1);
    const resumed = await client.events(connection);
    const first = await resumed.next();
    expect(Number(first?.id?.slice(1))).toBeLessThan(sentCount);
    await wait;
    resumed.cut();
    socket.destroy();
  });

  it('is not waited for beyond a bound by a sender that does not wait itself', async () => {
    const { stage, client } = await start({ limits: { queuedBytesMax: 1000 } });
    await client.initialize();
    const { transport } = await stage.nextConnection();
    const frame = notificationFrame('_n', { text: 'x'.repeat(600) });
    void transport.send(frame);
    let thrown: unknown;
    try {
      void transport.send(frame);
    } catch (error) {
      thrown = error;
    }
    expect(isPeerError(thrown, 'queue_full')).toBe(true);
  });
});

describe('a client that sends faster than it is served', () => {
  it('waits for its POST, and is refused by 503 when nothing is read', async () => {
    const clock = new SimulatedClock();
    const { stage, client } = await start({ clock, limits: { highWaterBytes: 100 } });
    const connection = await client.initialize();
    const { transport } = await stage.nextConnection();
    const frame = notificationFrame('_n', { text: 'x'.repeat(100) });
    expect((await client.post(frame, connection)).status).toBe(202);
    const waiting = client.post(frame, connection);
    const other = client.post(frame, connection);
    const timersOf = (): number => clock.timerCount;
    while (timersOf() < 2) await turn();
    clock.advance(30_000);
    const refused = await waiting;
    expect(await refused.json()).toMatchObject({ status: 503, code: 'overloaded' });
    expect((await other).status).toBe(503);
    const again = client.post(frame, connection);
    while (timersOf() < 1) await turn();
    const frames = takeFrames(transport, 3);
    expect((await again).status).toBe(202);
    expect(await frames).toEqual([INITIALIZE, frame, frame]);
  });
});

describe('a POST that is repeated', () => {
  it('is processed once for each key (B154)', async () => {
    const { stage, client } = await start();
    const connection = await client.initialize();
    const { transport } = await stage.nextConnection();
    const post = (key: string) =>
      client.post(requestFrame(key, '_x'), { ...connection, 'Idempotency-Key': key });
    const responses = await Promise.all(['1', '1', '2', '1'].map(post));
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    await client.request('DELETE', connection);
    expect((await takeFrames(transport)).slice(1).sort()).toEqual([
      requestFrame('1', '_x'),
      requestFrame('2', '_x'),
    ]);
  });
});

async function start(
  options: HttpStageOptions = {},
): Promise<{ stage: HttpStage; client: RawClient }> {
  const stage = await HttpStage.start({
    accept: ({ transport }) => {
      queueMicrotask(() => void transport.send(INITIALIZED));
    },
    ...options,
  });
  running.push(stage);
  return { stage, client: new RawClient(stage.url) };
}
