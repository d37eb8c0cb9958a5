import { describe, expect, it } from 'vitest';
import { createScriptedPeer, requestFrame } from '../../../../tests/support/peers.ts';
import { turn } from '../../../../tests/support/scripted-transport.ts';
import { RawJson } from './raw-json.ts';
import { RpcError } from './rpc-error.ts';

const CANCEL = '$/cancel_request';

describe('the answers of a peer', () => {
  it.each(['0', '-1', '""', '"1"', '2147483648', '9007199254740993', '1.0', '"\\u0031"'])(
    'carry the id %s exactly as it was sent',
    async (id) => {
      const { wire } = createScriptedPeer();
      wire.arrive(`{"jsonrpc":"2.0", "method":"m", "id" : ${id} }`);
      await wire.whenSent(1);
      expect(wire.sent).toEqual([`{"jsonrpc":"2.0","id":${id},"result":{}}`]);
    },
  );

  it('carry a raw result exactly', async () => {
    const { wire } = createScriptedPeer({ onRequest: () => new RawJson('{"n":1.0}') });
    wire.arrive(requestFrame(1, 'm'));
    await wire.whenSent(1);
    expect(wire.sent).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"n":1.0}}']);
  });

  it.each<[name: string, result: unknown, written: string]>([
    ['an empty object', {}, '{}'],
    ['an object whose members are undefined', { a: undefined }, '{}'],
    ['a toJSON member', { toJSON: () => 5 }, '5'],
    ['a hidden toJSON', Object.defineProperty({}, 'toJSON', { value: () => 5 }), '5'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['an empty list', [], '[]'],
    ['nothing', undefined, 'null'],
  ])('carry %s as JSON.stringify writes it', async (_name, result, written) => {
    const { wire } = createScriptedPeer({ onRequest: () => result });
    wire.arrive(requestFrame(1, 'm'));
    await wire.whenSent(1);
    expect(wire.sent).toEqual([`{"jsonrpc":"2.0","id":1,"result":${written}}`]);
  });

  it('come in the order in which the handlers finish', async () => {
    const { wire } = createScriptedPeer({
      onRequest: ({ method }) => (method === 'slow' ? turn() : 'fast'),
    });
    wire.arrive(requestFrame(1, 'slow'), requestFrame(2, 'fast'));
    expect(await wire.whenSent(2)).toMatchObject([{ id: 2 }, { id: 1, result: null }]);
  });

  it.each([
    [
      'an RpcError',
      new RpcError(-32042, 'No', { why: 1 }),
      { code: -32042, message: 'No', data: { why: 1 } },
    ],
    ['any other error', new Error('secret path'), { code: -32603, message: 'Internal error' }],
    ['something that is no error', 'text', { code: -32603, message: 'Internal error' }],
    [
      'an RpcError with a code of another kind',
      new RpcError(NaN, 'No'),
      { code: -32603, message: 'No' },
    ],
    [
      'an RpcError with data that cannot be written',
      new RpcError(1, 'No', 1n),
      { code: 1, message: 'No' },
    ],
  ])('are an error when the handler throws %s, now or later', async (_name, thrown, error) => {
    const { wire } = createScriptedPeer({
      onRequest: ({ method }) => {
        const fail = (): never => {
          throw thrown as Error;
        };
        return method === 'later' ? turn().then(fail) : fail();
      },
    });
    wire.arrive(requestFrame(1, 'now'), requestFrame(2, 'later'));
    expect(await wire.whenSent(2)).toEqual([
      { jsonrpc: '2.0', id: 1, error },
      { jsonrpc: '2.0', id: 2, error },
    ]);
  });

  it('keep what a handler did not mean to say at home, and report it', async () => {
    const cause = new Error('secret path');
    const { wire, problems } = createScriptedPeer({ onRequest: () => Promise.reject(cause) });
    wire.arrive(requestFrame(1, 'm'));
    await wire.whenSent(1);
    expect(wire.sent[0]).not.toContain('secret');
    expect(problems).toMatchObject([{ kind: 'handler_failed', cause }]);
  });

  it.each([
    ['a BigInt', 1n],
    ['a cycle', cycle()],
    ['raw JSON in an object', { a: new RawJson('1') }],
  ])('are an error with the same id when the result is %s', async (_name, result) => {
    const { wire } = createScriptedPeer({ onRequest: () => result });
    wire.arrive(requestFrame('x', 'm'));
    expect(await wire.whenSent(1)).toMatchObject([{ id: 'x', error: { code: -32603 } }]);
  });

  it.each([
    ['many characters', 'x'.repeat(2000)],
    ['few characters of many bytes', '€'.repeat(400)],
  ])(
    'are an error with the same id when the result is too large: %s (B146)',
    async (_name, text) => {
      const { wire } = createScriptedPeer(
        { onRequest: () => text },
        { limits: { frameBytesMax: 1000 } },
      );
      wire.arrive(requestFrame(4, 'm'));
      const bytes = Buffer.byteLength(`{"jsonrpc":"2.0","id":4,"result":"${text}"}`);
      expect(await wire.whenSent(1)).toMatchObject([
        { id: 4, error: { code: -32603, data: { bytes, bytesMax: 1000 } } },
      ]);
    },
  );

  it('are given for a result that only looks like a promise', async () => {
    const { wire } = createScriptedPeer({ onRequest: () => ({ then: 5 }) });
    wire.arrive(requestFrame(1, 'm'));
    expect(await wire.whenSent(1)).toMatchObject([{ id: 1, result: { then: 5 } }]);
  });

  it('refuse an id that is in use, and answer the first request all the same', async () => {
    let finish: ((value: unknown) => void) | undefined;
    let started = 0;
    const { wire } = createScriptedPeer({
      onRequest: () => {
        started++;
        return new Promise((resolve) => (finish = resolve));
      },
    });
    wire.arrive(requestFrame(1, 'm'), requestFrame(1, 'm'), requestFrame('1', 'm'));
    expect(await wire.whenSent(1)).toMatchObject([{ id: 1, error: { code: -32600 } }]);
    expect(started).toBe(2);
    finish?.('done');
    expect(await wire.whenSent(2)).toMatchObject([{}, { id: '1', result: 'done' }]);
  });

  it('refuse requests beyond the limit', async () => {
    const { wire } = createScriptedPeer(
      { onRequest: () => new Promise(() => undefined) },
      { limits: { incomingRequestsMax: 2 } },
    );
    wire.arrive(requestFrame(1, 'm'), requestFrame(2, 'm'), requestFrame(3, 'm'));
    expect(await wire.whenSent(1)).toMatchObject([{ id: 3, error: { code: -32600 } }]);
  });

  it('refuse requests beyond what they may hold in memory, until others are answered', async () => {
    const finish: (() => void)[] = [];
    const { wire } = createScriptedPeer(
      { onRequest: () => new Promise((resolve) => finish.push(() => resolve('done'))) },
      { limits: { incomingLengthMax: 200 } },
    );
    const long = 'x'.repeat(300);
    wire.arrive(requestFrame(1, 'm', { long }), requestFrame(2, 'm'));
    expect(await wire.whenSent(1)).toMatchObject([{ id: 2, error: { code: -32600 } }]);
    finish[0]?.();
    await wire.whenSent(2);
    wire.arrive(requestFrame(3, 'm'), requestFrame(4, 'm', { long }), requestFrame(5, 'm'));
    expect(await wire.whenSent(3)).toMatchObject([{}, {}, { id: 4, error: { code: -32600 } }]);
    expect(finish).toHaveLength(3);
  });

  it('are never given to a notification, not even when its handler throws', async () => {
    const { wire, problems } = createScriptedPeer({
      onNotification: () => {
        throw new Error('broken');
      },
    });
    wire.arrive(
      '{"jsonrpc":"2.0","method":"_vendor/changed"}',
      '{"jsonrpc":"2.0","method":"x","params":5}',
    );
    wire.arrive('{"jsonrpc":"2.0","method":"$/cancel_request"}');
    await turn();
    expect(wire.sent).toEqual([]);
    expect(problems.map(({ kind }) => kind)).toContain('handler_failed');
  });

  it('end with request cancelled when the handler gives up for a cancel notification', async () => {
    const { wire } = createScriptedPeer(
      { onRequest: (_request, { signal }) => aborted(signal) },
      { cancelMethod: CANCEL },
    );
    wire.arrive(requestFrame('a', 'm'), requestFrame(2, 'm'));
    // Another id type, an unknown id and no id at all reach nobody.
    for (const id of ['"2"', '77', 'null']) {
      wire.arrive(`{"jsonrpc":"2.0","method":"${CANCEL}","params":{"requestId":${id}}}`);
    }
    await turn();
    expect(wire.sent).toEqual([]);
    wire.arrive(`{"jsonrpc":"2.0","method":"${CANCEL}","params":{"requestId":"a"}}`);
    expect(await wire.whenSent(1)).toMatchObject([{ id: 'a', error: { code: -32800 } }]);
  });

  it('may be a result although the request was cancelled in the same read', async () => {
    const { wire } = createScriptedPeer(
      { onRequest: async (_request, { signal }) => (await turn(), { wasAborted: signal.aborted }) },
      { cancelMethod: CANCEL },
    );
    wire.arrive(
      requestFrame(5, 'm'),
      `{"jsonrpc":"2.0","method":"${CANCEL}","params":{"requestId":5}}`,
    );
    expect(await wire.whenSent(1)).toMatchObject([{ id: 5, result: { wasAborted: true } }]);
  });
});

function cycle(): unknown {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
