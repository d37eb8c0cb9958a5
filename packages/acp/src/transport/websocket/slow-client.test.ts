import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket as WsSocket } from 'ws';
import { turn } from '../../../../../tests/support/scripted-transport.ts';
import { EndpointStage } from '../../../../../tests/support/web-socket/endpoint-stage.ts';
import { failureOf } from '../../../../../tests/support/web-socket/frames.ts';
import { isPeerError } from '../../jsonrpc/peer-error.ts';
import type { Transport } from '../../jsonrpc/transport.ts';
import type { WebSocketEndpointLimits } from './acp-web-socket-endpoint.ts';

const MIB = 1024 * 1024;
const FRAME = JSON.stringify('x'.repeat(10_000));
/** Fifty MiB of them. */
const FRAME_COUNT = Math.ceil((50 * MIB) / FRAME.length);

const disposals: (() => unknown)[] = [];

afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

describe('a client that never reads (B183)', () => {
  it('is closed as slow, holds little memory, and does not hinder its neighbour', async () => {
    const stage = await start({ stallMs: 300, closeMs: 300 });
    const stuck = await open(stage);
    const { transport } = await stage.nextConnection();
    stuck.pause();
    const healthy = await open(stage);
    const neighbour = await stage.nextConnection();
    let received = 0;
    healthy.on('message', () => received++);

    const failed = failureOf(transport);
    const sending = sendWaiting(transport);
    expect(await sendWaiting(neighbour.transport)).toBe(FRAME_COUNT);
    while (received < FRAME_COUNT) await once(healthy, 'message');
    expect(stage.sockets[0]?.writableLength).toBeLessThan(MIB);

    expect(await failed).toMatchObject({ code: 'slow', closeCode: 4408, reason: 'slow' });
    // More was never taken, let alone held: of this the most is what the kernel has taken.
    expect((await sending) * FRAME.length).toBeLessThan(20 * MIB);
    await countOf(stage, 1);
    expect(stage.log.filter((line) => line.includes('slow'))).toHaveLength(1);
  });

  it('learns of it when it reads again in time', async () => {
    const stage = await start({ stallMs: 100, closeMs: 10_000 });
    const socket = await open(stage);
    const { transport } = await stage.nextConnection();
    socket.pause();
    const failed = failureOf(transport);
    await sendWaiting(transport);
    await failed;
    const closed = once(socket, 'close') as Promise<[number, Buffer]>;
    socket.resume();
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([4408, 'slow']);
  });

  it('meets a hard bound when its sender does not wait', async () => {
    const stage = await start({ queuedBytesMax: 8 * MIB });
    const socket = await open(stage);
    const { transport } = await stage.nextConnection();
    socket.pause();
    let sent = 0;
    const error = thrownBy(() => {
      for (; sent < FRAME_COUNT; sent++) void transport.send(FRAME);
    });
    expect(isPeerError(error, 'queue_full')).toBe(true);
    expect(sent * FRAME.length).toBeLessThanOrEqual(8 * MIB);
    // Nothing of the refused frame is sent, and the connection goes on.
    let received = 0;
    socket.on('message', () => received++);
    socket.resume();
    while (received < sent) await once(socket, 'message');
  });
});

/** Sends until all is sent or the connection has ended, and waits when asked to. */
async function sendWaiting(transport: Transport): Promise<number> {
  for (let sent = 0; sent < FRAME_COUNT; sent++) {
    try {
      const wait = transport.send(FRAME);
      if (wait !== undefined) await wait;
    } catch (error) {
      if (isPeerError(error, 'closed')) return sent;
      throw error;
    }
  }
  return FRAME_COUNT;
}

async function start(limits: WebSocketEndpointLimits): Promise<EndpointStage> {
  const stage = await EndpointStage.start({ limits });
  disposals.push(() => stage.dispose());
  return stage;
}

async function open(stage: EndpointStage): Promise<WsSocket> {
  const socket = new WsSocket(stage.url);
  disposals.push(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}

async function countOf(stage: EndpointStage, count: number): Promise<void> {
  while (stage.endpoint.connectionCount !== count) await turn();
}

function thrownBy(action: () => void): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}
