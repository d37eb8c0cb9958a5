import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import {
  createScriptedPeer,
  notificationFrame,
  requestFrame,
  resultFrame,
  watchUnhandledRejections,
} from '../../../../tests/support/peers.ts';
import { turn } from '../../../../tests/support/scripted-transport.ts';
import { createStdioTransport } from '../transport/stdio-transport.ts';
import { createMemoryTransports } from './memory-transport.ts';
import { PeerError } from './peer-error.ts';
import { Peer } from './peer.ts';

const silent = { onRequest: () => ({}), onNotification: () => undefined };

describe('the end of a connection', () => {
  it('rejects every pending request once with the cause, and nothing goes unhandled', async () => {
    const stopWatching = watchUnhandledRejections();
    const { wire, peer } = createScriptedPeer();
    const settled = [1, 2, 3].map(() => vi.fn());
    for (const onSettled of settled) void peer.request('m', {}).then(onSettled, onSettled);
    const cause = new Error('ECONNRESET');
    wire.fail(cause);
    expect(await peer.closed).toEqual({ kind: 'failed', error: cause });
    await turn();
    for (const onSettled of settled) {
      expect(onSettled).toHaveBeenCalledOnce();
      expect(onSettled.mock.calls[0]?.[0]).toMatchObject({ code: 'closed', cause });
    }
    expect(peer.pendingCount).toBe(0);
    expect(stopWatching()).toEqual([]);
  });

  it('rejects later requests at once and drops later notifications', async () => {
    const { wire, peer } = createScriptedPeer();
    wire.end();
    expect(await peer.closed).toEqual({ kind: 'closed_there' });
    await expect(peer.request('m', {})).rejects.toMatchObject({ code: 'closed' });
    expect(peer.notify('n', {})).toBeUndefined();
    expect(peer.pendingCount).toBe(0);
  });

  it('may be seen by a sender before the reader sees it', async () => {
    const { wire, peer } = createScriptedPeer();
    wire.sendFailure = new PeerError('closed', 'EPIPE');
    expect(peer.notify('n', {})).toBeUndefined();
    await expect(peer.request('m', {})).rejects.toMatchObject({ code: 'closed' });
    wire.sendFailure = new PeerError('queue_full', 'full');
    expect(() => peer.notify('n', {})).toThrow('queue_full');
  });

  it('comes rather than a request without an answer, when the answer cannot be queued', async () => {
    const { wire, peer } = createScriptedPeer();
    wire.sendFailure = new PeerError('queue_full', 'full');
    wire.arrive(requestFrame(1, 'm'));
    expect(await peer.closed).toMatchObject({ kind: 'failed', error: { code: 'queue_full' } });
  });

  it('does not depend on what a response says that nobody asked for', async () => {
    const { wire, peer, problems } = createScriptedPeer();
    const call = peer.request('m', {});
    wire.arrive(resultFrame(7, {}), resultFrame('00', {}), resultFrame(null, {}));
    await turn();
    expect(peer.pendingCount).toBe(1);
    expect(problems.map(({ kind }) => kind)).toEqual(Array(3).fill('unexpected_response'));
    wire.arrive('{"id":0,"result":{}}');
    await expect(call).rejects.toMatchObject({ code: 'invalid_response' });
  });
});

describe('errors of the other side', () => {
  it.each([
    [
      '{"code":-32042,"message":"No","data":{"a":1}}',
      { code: -32042, message: 'No', data: { a: 1 } },
    ],
    ['{}', { code: -32603 }],
    ['"text"', { code: -32603 }],
    ['null', { code: -32603 }],
  ])('reject the request: %s', async (error, expected) => {
    const { wire, peer } = createScriptedPeer();
    const call = peer.request('m', {});
    wire.arrive(`{"jsonrpc":"2.0","id":0,"error":${error}}`);
    await expect(call).rejects.toMatchObject({ name: 'RpcError', ...expected });
  });
});

describe('a peer whose other side has ended its direction', () => {
  it('sends the answer of a slow handler, and is closed then', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let finish: ((value: unknown) => void) | undefined;
    const peer = new Peer(createStdioTransport(input, output), {
      ...silent,
      onRequest: () => new Promise((resolve) => (finish = resolve)),
    });
    input.end(requestFrame(1, 'slow'));
    while (!peer.isClosed) await turn();
    finish?.('done');
    expect(await peer.closed).toEqual({ kind: 'closed_there' });
    expect(JSON.parse(String(output.read()))).toMatchObject({ id: 1, result: 'done' });
  });

  it('aborts what is still running after a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let signal: AbortSignal | undefined;
      const { wire, peer } = createScriptedPeer(
        {
          onRequest: (_request, context) => {
            signal = context.signal;
            return new Promise(() => undefined);
          },
        },
        { drainMs: 100 },
      );
      wire.arrive(requestFrame(1, 'endless'));
      wire.end();
      while (!peer.isClosed) await turn();
      vi.advanceTimersByTime(99);
      expect(signal?.aborted).toBe(false);
      vi.advanceTimersByTime(1);
      await peer.closed;
      expect(signal?.aborted).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('aborts a handler that closes the connection before it first waits', async () => {
    let signal: AbortSignal | undefined;
    const { wire, peer } = createScriptedPeer({
      onRequest: async (_request, context) => {
        signal = context.signal;
        await peer.close();
      },
    });
    wire.arrive(requestFrame(1, 'm'));
    await peer.closed;
    expect(signal?.aborted).toBe(true);
  });

  it('does not wait for answers when it is closed here as well', async () => {
    const { wire, peer } = createScriptedPeer({ onRequest: () => new Promise(() => undefined) });
    wire.arrive(requestFrame(1, 'endless'));
    wire.end();
    while (!peer.isClosed) await turn();
    expect(await peer.close()).toEqual({ kind: 'closed_there' });
  });
});

describe('closing a peer', () => {
  it('delivers what was sent before, rejects what is pending, and aborts what is running', async () => {
    const [near, far] = createMemoryTransports();
    const received: string[] = [];
    let signal: AbortSignal | undefined;
    const other = new Peer(far, {
      onRequest: () => new Promise(() => undefined),
      onNotification: ({ method }) => void received.push(method),
    });
    const peer = new Peer(near, {
      ...silent,
      onRequest: (_request, context) => {
        signal = context.signal;
        return new Promise(() => undefined);
      },
    });
    void other.request('running', {}).catch(() => undefined);
    while (signal === undefined) await turn();
    const pending = peer.request('m', {});
    const failed = expect(pending).rejects.toMatchObject({ code: 'closed' });
    void peer.notify('first', {});
    void peer.notify('last', {});
    expect(await peer.close()).toEqual({ kind: 'closed_here' });
    await failed;
    expect(signal.aborted).toBe(true);
    expect(await other.closed).toEqual({ kind: 'closed_there' });
    expect(received).toEqual(['first', 'last']);
  });

  it('takes nothing in afterwards', async () => {
    const seen: string[] = [];
    const { wire, peer } = createScriptedPeer({
      onNotification: ({ method }) => {
        seen.push(method);
        void peer.close();
      },
    });
    wire.arrive(notificationFrame('1'), notificationFrame('2'));
    wire.arrive(notificationFrame('3'));
    expect(await peer.closed).toEqual({ kind: 'closed_here' });
    expect(seen).toEqual(['1']);
  });

  it('does not wait for an owner that is not ready for more', async () => {
    const { wire, peer } = createScriptedPeer({ readyForMore: () => new Promise(() => undefined) });
    wire.arrive(notificationFrame('n'));
    await turn();
    expect(await peer.close()).toEqual({ kind: 'closed_here' });
  });

  it('may be done at once and several times', async () => {
    const { peer } = createScriptedPeer();
    expect(await Promise.all([peer.close(), peer.close()])).toEqual([
      { kind: 'closed_here' },
      { kind: 'closed_here' },
    ]);
  });
});

describe('the tap', () => {
  it('sees every frame in both directions', async () => {
    const seen: unknown[] = [];
    const { wire } = createScriptedPeer({}, { tap: (...what) => seen.push(what) });
    const oversized = { kind: 'oversized', head: '', length: 9 } as const;
    wire.arrive(requestFrame(1, 'm'), 'junk', oversized);
    await wire.whenSent(2);
    await turn();
    expect(seen.map((what) => (what as string[])[0])).toEqual(['in', 'out', 'in', 'out', 'in']);
    expect(seen.at(-1)).toEqual(['in', oversized]);
  });
});
