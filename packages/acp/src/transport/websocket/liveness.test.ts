import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket as WsSocket } from 'ws';
import { turn } from '../../../../../tests/support/scripted-transport.ts';
import { EndpointStage } from '../../../../../tests/support/web-socket/endpoint-stage.ts';
import {
  failureOf,
  INITIALIZE,
  takeFrames,
} from '../../../../../tests/support/web-socket/frames.ts';
import type { WebSocketEndpointLimits } from './acp-web-socket-endpoint.ts';

const disposals: (() => unknown)[] = [];

afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

describe('an endpoint with a client that may be gone (R-WS-08, B148)', () => {
  it('frees a half-open connection, once', async () => {
    const stage = await start({ pingMs: 20 });
    const socket = await open(stage);
    const { transport } = await stage.nextConnection();
    socket.send(INITIALIZE);
    // From here on the client neither reads nor answers, as when its machine sleeps.
    socket.pause();
    expect(await failureOf(transport)).toMatchObject({ code: 'unresponsive' });
    await countOf(stage, 0);
    expect(stage.log.filter((line) => line.includes('unresponsive'))).toHaveLength(1);
    await transport.close();
    expect(stage.sockets[0]?.destroyed).toBe(true);
  });

  it('gives it two pings', async () => {
    const stage = await start({ pingMs: 20 });
    const socket = await open(stage, { autoPong: false });
    let pings = 0;
    socket.on('ping', () => pings++);
    const { transport } = await stage.nextConnection();
    expect(await failureOf(transport)).toMatchObject({ code: 'unresponsive' });
    expect(pings).toBe(2);
  });

  it('keeps one that is silent but answers', async () => {
    const stage = await start({ pingMs: 10 });
    const socket = await open(stage);
    for (let pings = 0; pings < 10; pings++) await once(socket, 'ping');
    const { transport } = await stage.nextConnection();
    const text = once(socket, 'message');
    void transport.send('{}');
    expect(String((await text)[0])).toBe('{}');
  });

  it('keeps one that answers no ping but sends, be it parts of one long message', async () => {
    const stage = await start({ pingMs: 10 });
    const socket = await open(stage, { autoPong: false });
    const { transport } = await stage.nextConnection();
    const received = takeFrames(transport, 2);
    socket.send(INITIALIZE);
    for (let pings = 0; pings < 10; pings++) {
      await once(socket, 'ping');
      socket.send('1,', { fin: false });
    }
    socket.send('1');
    expect(await received).toEqual([INITIALIZE, `${'1,'.repeat(10)}1`]);
  });

  it('keeps one that it does not read from itself', async () => {
    const stage = await start({ pingMs: 10 });
    const socket = await open(stage);
    socket.send(INITIALIZE);
    // More than is read ahead, so that the pongs behind it are not seen.
    const waiting = JSON.stringify('x'.repeat(4 * 1024 * 1024));
    socket.send(waiting);
    socket.send(waiting);
    const { transport } = await stage.nextConnection();
    for (let pings = 0; pings < 10; pings++) await once(socket, 'ping');
    expect(await takeFrames(transport, 3)).toEqual([INITIALIZE, waiting, waiting]);
  });
});

async function start(limits: WebSocketEndpointLimits): Promise<EndpointStage> {
  const stage = await EndpointStage.start({ limits });
  disposals.push(() => stage.dispose());
  return stage;
}

async function open(
  stage: EndpointStage,
  options: { readonly autoPong?: boolean } = {},
): Promise<WsSocket> {
  const socket = new WsSocket(stage.url, options);
  disposals.push(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}

async function countOf(stage: EndpointStage, count: number): Promise<void> {
  while (stage.endpoint.connectionCount !== count) await turn();
}
