import { describe, expect, it } from 'vitest';
import {
  createScriptedPeer,
  notificationFrame,
  requestFrame,
  resultFrame,
} from '../../../../tests/support/peers.ts';
import { turn } from '../../../../tests/support/scripted-transport.ts';

describe('a peer that answers noise', () => {
  it('answers the first line of a burst only', async () => {
    const { wire, peer } = createScriptedPeer();
    wire.arrive('{oops', 'banner', '42');
    wire.arrive('more');
    wire.arrive(requestFrame(1, 'm'), '"x"');
    expect(await wire.whenSent(3)).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: 1, result: {} },
      { id: null, error: { code: -32600 } },
    ]);
    expect(peer.noise.count).toBe(5);
  });

  it('does not keep another side busy that prints a line for every line it gets', async () => {
    const { wire } = createScriptedPeer();
    wire.arrive('junk');
    for (let round = 0; round < 50; round++) {
      await turn();
      for (let i = wire.sent.length; i > 0; i--) wire.arrive('junk about your error');
    }
    expect(wire.sent).toHaveLength(1);
  });

  it('answers every broken request whose id it can read', async () => {
    const { wire } = createScriptedPeer();
    wire.arrive(
      '{"jsonrpc":"2.0","id":1,"method":5}',
      '{"id":"2","method":"m"}',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"m","params":"p"}',
    );
    await wire.whenSent(3);
    expect(wire.sent.map((frame) => /"id":([^,]+)/.exec(frame)?.[1])).toEqual([
      '1',
      '"2"',
      '9007199254740993',
    ]);
  });

  it('refuses a batch once, and does not look into it', async () => {
    let started = 0;
    const { wire } = createScriptedPeer({ onRequest: () => started++ });
    wire.arrive(`[${requestFrame(1, 'm')},${requestFrame(2, 'm')}]`);
    expect(await wire.whenSent(1)).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(started).toBe(0);
  });

  it('is not hurt by a bad message that is nested very deep', async () => {
    const { wire } = createScriptedPeer();
    wire.arrive(`{"id":1,"method":"m","params":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    wire.arrive(requestFrame(2, 'm'));
    expect(await wire.whenSent(2)).toMatchObject([
      { id: 1, error: {} },
      { id: 2, result: {} },
    ]);
    expect(wire.sent[0]?.length).toBeLessThan(300);
  });
});

describe('a peer that skips noise', () => {
  it('says nothing to lines that are no message, and keeps the last ones', async () => {
    const { wire, peer, problems } = createScriptedPeer(
      {},
      { noise: 'skip', limits: { noiseLinesKept: 2, noiseLengthKept: 10 } },
    );
    wire.arrive('Welcome!', '{"level":"info","id":3}', '[1]', 'x'.repeat(1000));
    wire.arrive(requestFrame(1, 'm'));
    expect(await wire.whenSent(1)).toMatchObject([{ id: 1 }]);
    expect(peer.noise.count).toBe(4);
    expect(peer.noise.kept).toEqual([
      { reason: 'batches are not supported', head: '[1]' },
      { reason: 'not JSON', head: 'x'.repeat(10) },
    ]);
    expect(problems).toHaveLength(1);
  });

  it.each(['\u001B[?25l', '50%', '\uFEFF\u0000 '])(
    'finds the message behind %j on the same line',
    async (lead) => {
      const { wire, peer } = createScriptedPeer({}, { noise: 'skip' });
      const answer = peer.request('session/new', {});
      wire.arrive(lead + resultFrame(0, { sessionId: 's' }));
      expect((await answer).result).toEqual({ sessionId: 's' });
      expect(peer.noise.count).toBe(1);
    },
  );

  it('does not take a part of a broken message for a message', async () => {
    let handled = 0;
    const { wire } = createScriptedPeer(
      { onRequest: () => handled++, onNotification: () => void handled++ },
      { noise: 'skip' },
    );
    wire.arrive(`{"jsonrpc":"2.0","id":1,"params":${requestFrame(2, 'inner')}`);
    wire.arrive(`[${requestFrame(3, 'in a batch')}]`);
    wire.arrive(requestFrame(4, 'real'));
    await wire.whenSent(1);
    expect(handled).toBe(1);
  });

  it('answers a broken request all the same, since somebody waits for it', async () => {
    const { wire } = createScriptedPeer({}, { noise: 'skip' });
    wire.arrive('{"jsonrpc":"2.0","id":7,"method":5}');
    expect(await wire.whenSent(1)).toMatchObject([{ id: 7, error: { code: -32600 } }]);
  });

  it('takes 100,000 lines without a message, and gives up at one more', async () => {
    const { wire, peer } = createScriptedPeer({}, { noise: 'skip' });
    const pending = peer.request('initialize', {});
    const failure = expect(pending).rejects.toThrow(/100001 lines in a row.*progress 77/);
    const lines = Array.from({ length: 1000 }, (_, i) => `progress ${i} ${'.'.repeat(300)}`);
    for (let i = 0; i < 100; i++) wire.arrive(...lines);
    await turn();
    expect(peer.isClosed).toBe(false);
    expect(peer.noise.kept).toHaveLength(20);
    wire.arrive('progress 77');
    await failure;
    expect(await peer.closed).toMatchObject({ kind: 'failed' });
    expect(wire.isClosed).toBe(true);
  });

  it('counts anew after each message', async () => {
    const { wire, peer } = createScriptedPeer({}, { noise: 'skip', limits: { noiseLinesMax: 3 } });
    for (let i = 0; i < 10; i++) wire.arrive('junk', 'junk', 'junk', notificationFrame('n'));
    await turn();
    expect(peer.isClosed).toBe(false);
    expect(peer.noise.count).toBe(30);
  });
});

describe('frames that are no text or too much of it', () => {
  const oversized = (head: string) => ({ kind: 'oversized', head, length: 9_000_000 }) as const;

  it('skips a line that is not UTF-8', async () => {
    const { wire, peer } = createScriptedPeer({}, { noise: 'skip' });
    wire.arrive({ kind: 'undecodable', head: 'x\uFFFD' }, requestFrame(1, 'm'));
    expect(await wire.whenSent(1)).toMatchObject([{ id: 1 }]);
    expect(peer.noise.kept).toEqual([{ reason: 'not UTF-8', head: 'x\uFFFD' }]);
  });

  it('answers a request over the limit with its id', async () => {
    const { wire } = createScriptedPeer();
    wire.arrive(oversized('{"jsonrpc":"2.0","id":"big","method":"m","params":{"content":"xxxx'));
    wire.arrive(requestFrame(2, 'm'));
    expect(await wire.whenSent(2)).toMatchObject([
      { id: 'big', error: { code: -32600 } },
      { id: 2 },
    ]);
  });

  it('answers a request that nests too deep with its id', async () => {
    const { wire, problems } = createScriptedPeer();
    const head = '{"jsonrpc":"2.0","id":7,"method":"m","params":[[[[[[';
    wire.arrive({ kind: 'nested', head, levelsMax: 5 }, requestFrame(8, 'm'));
    const message = 'a frame has more than 5 levels of nesting';
    expect(await wire.whenSent(2)).toMatchObject([{ id: 7, error: { message } }, { id: 8 }]);
    expect(problems).toEqual([{ kind: 'nested_frame', message }]);
  });

  it('rejects the request whose answer is over the limit, and only that', async () => {
    const { wire, peer, problems } = createScriptedPeer({}, { limits: { frameBytesMax: 1000 } });
    const [first, second] = [peer.request('a', {}), peer.request('b', {})];
    wire.arrive(resultFrame(0, 'x'.repeat(5000)), resultFrame(1, 'fits'));
    await expect(first).rejects.toMatchObject({ code: 'too_large' });
    expect((await second).result).toBe('fits');
    expect(problems).toMatchObject([{ kind: 'oversized_frame' }]);
  });

  it.each([
    ['without an id', '{"jsonrpc":"2.0","method":"n","params":{"a":"xx'],
    ['whose id is cut off', '{"jsonrpc":"2.0","id":12'],
    ['whose id is cut off as text', '{"jsonrpc":"2.0","id":"ab'],
    ['that may be a request or a response', '{"jsonrpc":"2.0","id":0,"params":{"a":"xx'],
  ])('only reports a frame over the limit %s', async (_name, head) => {
    const { wire, peer, problems } = createScriptedPeer();
    void peer.request('own', {}).catch(() => undefined);
    wire.arrive(oversized(head), oversized(`${head},`));
    await turn();
    expect(wire.sent).toHaveLength(1);
    expect(peer.pendingCount).toBe(1);
    expect(problems).toHaveLength(2);
    await peer.close();
  });
});
