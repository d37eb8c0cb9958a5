import { describe, expect, it } from 'vitest';
import { notificationFrame, requestFrame } from '../../../../tests/support/peers.ts';
import { ScriptedTransport, turn } from '../../../../tests/support/scripted-transport.ts';
import { RawJson } from '../jsonrpc/raw-json.ts';
import { AgentConnection, type AgentHandlers } from './agent-connection.ts';

const INITIALIZE = requestFrame('init', 'initialize', {
  protocolVersion: 1,
  clientCapabilities: { fs: { readTextFile: true } },
});

describe('an agent connection before initialize', () => {
  it.each(['session/new', 'session/prompt', '_x/y', 'no/such'])('refuses %s', async (method) => {
    const { wire } = create();
    wire.arrive(requestFrame(1, method, {}));
    expect(await wire.whenSent(1)).toMatchObject([{ id: 1, error: { code: -32600 } }]);
  });

  it('goes on refusing when initialize was refused', async () => {
    const { wire } = create({
      initialize: () => {
        throw new Error('not today');
      },
    });
    wire.arrive(INITIALIZE);
    wire.arrive(requestFrame(1, 'session/new', { cwd: '/', mcpServers: [] }));
    expect(await wire.whenSent(2)).toMatchObject([
      { id: 'init', error: { code: -32603 } },
      { id: 1, error: { code: -32600 } },
    ]);
  });
});

describe('the version that an agent connection answers', () => {
  it.each([0, 1, 2, 999])('is its own for %s', async (protocolVersion) => {
    const { wire } = create();
    wire.arrive(requestFrame(1, 'initialize', { protocolVersion }));
    expect(await wire.whenSent(1)).toMatchObject([
      { result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
    ]);
  });

  it.each(['2024-11-05', null, undefined, 1.5, [1]])(
    'is an error that names the member for %j',
    async (protocolVersion) => {
      const { wire } = create();
      wire.arrive(requestFrame(1, 'initialize', { protocolVersion }));
      const [answer] = (await wire.whenSent(1)) as [{ error: { code: number; message: string } }];
      expect(answer.error.code).toBe(-32602);
      expect(answer.error.message).toContain('protocolVersion');
    },
  );
});

describe('an agent connection', () => {
  it('names the place of what is wrong in params', async () => {
    const { wire } = await initialized();
    wire.arrive(requestFrame(1, 'session/new', { cwd: 5, mcpServers: [] }));
    expect(await wire.whenSent(2)).toMatchObject([
      {},
      {
        error: {
          code: -32602,
          message: 'Invalid params: /cwd must be string',
          data: { path: '/cwd', problem: 'must be string' },
        },
      },
    ]);
  });

  it.each([5, null, [], 'text'])(
    'answers params %j of each method with one error',
    async (params) => {
      const { wire } = await initialized();
      const methods = ['session/new', 'session/prompt', 'session/set_mode'];
      wire.arrive(...methods.map((method, id) => requestFrame(id, method, params)));
      const answers = (await wire.whenSent(4)).slice(1);
      await turn();
      expect(wire.sent).toHaveLength(4);
      expect(answers).toMatchObject(methods.map((_method, id) => ({ id, error: {} })));
    },
  );

  it('answers -32601 to what it does not handle, and -32601 to extensions', async () => {
    const { wire } = await initialized();
    wire.arrive(
      requestFrame(1, 'session/list', {}),
      requestFrame(2, '_x/y'),
      requestFrame(3, 'a/b'),
    );
    const answers = (await wire.whenSent(4)).slice(1);
    expect(answers).toMatchObject([1, 2, 3].map((id) => ({ id, error: { code: -32601 } })));
  });

  it('gives extension methods to the handler for others', async () => {
    const { wire } = await initialized({
      otherRequest: ({ method, params }) => ({ method, params }),
    });
    wire.arrive(requestFrame(1, '_x/y', [1]), requestFrame(2, 'session/list'));
    expect((await wire.whenSent(3)).slice(1)).toMatchObject([
      { id: 1, result: { method: '_x/y', params: [1] } },
      { id: 2, error: { code: -32601 } },
    ]);
  });

  it('handles session/cancel, and never answers it, whatever it says', async () => {
    const cancelled: string[] = [];
    const invalid: string[] = [];
    const { wire } = await initialized({
      notifications: { 'session/cancel': ({ sessionId }) => void cancelled.push(sessionId) },
      invalidNotification: (_message, { path, message }) => void invalid.push(`${path} ${message}`),
    });
    wire.arrive(
      notificationFrame('session/cancel', { sessionId: 'unknown' }),
      notificationFrame('session/cancel'),
      notificationFrame('session/cancel', { sessionId: 5 }),
      notificationFrame('_vendor/x'),
      notificationFrame('foo/bar'),
    );
    await turn();
    expect(cancelled).toEqual(['unknown']);
    expect(invalid).toEqual([
      " must have required property 'sessionId'",
      '/sessionId must be string',
    ]);
    expect(wire.sent).toHaveLength(1);
  });

  it('does not call what the client did not announce, and sends nothing', async () => {
    const { wire, connection } = await initialized();
    const call = connection.request('terminal/create', { sessionId: 's', command: 'ls' });
    await expect(call).rejects.toMatchObject({
      code: 'not_supported',
      message: expect.stringContaining('clientCapabilities.terminal') as string,
    });
    expect(wire.sent).toHaveLength(1);
  });

  it('checks the results of the client', async () => {
    const { wire, connection } = await initialized();
    const read = () => connection.request('fs/read_text_file', { sessionId: 's', path: '/f' });
    const [good, bad] = [read(), read()];
    wire.arrive(
      '{"jsonrpc":"2.0","id":0,"result":{"content":"text"}}',
      '{"jsonrpc":"2.0","id":1,"result":{"content":5}}',
    );
    expect(await good).toEqual({ content: 'text' });
    await expect(bad).rejects.toMatchObject({
      code: 'invalid_response',
      message: expect.stringContaining('/content must be string') as string,
    });
  });

  it('sends raw params and raw results exactly', async () => {
    const { wire, connection } = await initialized({
      requests: { 'session/new': () => new RawJson('{"sessionId":"s","n":1.0}') },
    });
    void connection.notify('session/update', new RawJson('{"n":12345678901234567890}'));
    wire.arrive(requestFrame(1, 'session/new', { cwd: '/', mcpServers: [] }));
    await wire.whenSent(3);
    expect(wire.sent.slice(1)).toEqual([
      '{"jsonrpc":"2.0","method":"session/update","params":{"n":12345678901234567890}}',
      '{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s","n":1.0}}',
    ]);
  });

  it('knows what the client announced', async () => {
    const { connection } = await initialized();
    expect(connection.client?.clientCapabilities?.fs?.readTextFile).toBe(true);
  });
});

function create(handlers: Partial<AgentHandlers> = {}) {
  const wire = new ScriptedTransport();
  const connection = new AgentConnection(wire, {
    initialize: () => ({ agentCapabilities: { loadSession: true } }),
    requests: {
      'session/new': () => ({ sessionId: 's' }),
      'session/prompt': () => ({ stopReason: 'end_turn' }),
      'session/set_mode': () => ({}),
    },
    notifications: {},
    ...handlers,
  });
  return { wire, connection };
}

async function initialized(handlers: Partial<AgentHandlers> = {}) {
  const created = create(handlers);
  created.wire.arrive(INITIALIZE);
  await created.wire.whenSent(1);
  return created;
}
