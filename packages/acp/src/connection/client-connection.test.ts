import { describe, expect, it } from 'vitest';
import { notificationFrame, requestFrame, resultFrame } from '../../../../tests/support/peers.ts';
import { ScriptedTransport, turn } from '../../../../tests/support/scripted-transport.ts';
import { RawJson } from '../jsonrpc/raw-json.ts';
import type { AgentCapabilities } from '../protocol/v1/types.ts';
import { ClientConnection, type ClientHandlers } from './client-connection.ts';

const PROMPT = { sessionId: 's', prompt: [] };

describe('the handshake of a client connection', () => {
  it('has to come first', async () => {
    const { wire, connection } = create();
    await expect(connection.request('session/prompt', PROMPT)).rejects.toMatchObject({
      code: 'wrong_state',
    });
    expect(wire.sent).toEqual([]);
  });

  it('offers version 1 and keeps what the agent announces', async () => {
    const { wire, connection } = create();
    const handshake = connection.initialize({ clientCapabilities: { terminal: true } });
    expect(wire.messages()).toMatchObject([
      {
        method: 'initialize',
        params: { protocolVersion: 1, clientCapabilities: { terminal: true } },
      },
    ]);
    wire.arrive('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"x":1.0}}');
    expect((await handshake).raw.text).toBe('{"protocolVersion":1,"x":1.0}');
    expect(connection.agent?.protocolVersion).toBe(1);
  });

  it.each([
    [0, 'not_supported'],
    [2, 'not_supported'],
    ['2024-11-05', 'invalid_response'],
    [null, 'invalid_response'],
  ])('fails for an agent that answers version %j', async (protocolVersion, code) => {
    const { wire, connection } = create();
    const handshake = connection.initialize({ clientCapabilities: {} });
    wire.arrive(resultFrame(0, { protocolVersion }));
    await expect(handshake).rejects.toMatchObject({ code });
    await expect(connection.request('session/prompt', PROMPT)).rejects.toMatchObject({
      code: 'wrong_state',
    });
  });

  it.each([{ promptCapabilities: { image: true } }, {}, { future: { x: 1 } }])(
    'accepts partial capabilities: %j',
    async (agentCapabilities) => {
      const { connection } = await initialized(agentCapabilities);
      expect(connection.agent?.agentCapabilities).toMatchObject(agentCapabilities);
    },
  );
});

describe('a client connection', () => {
  it('does not call what the agent did not announce, and sends nothing', async () => {
    const { wire, connection } = await initialized({});
    const call = connection.request('session/load', { sessionId: 's', cwd: '/', mcpServers: [] });
    await expect(call).rejects.toMatchObject({
      code: 'not_supported',
      message: expect.stringContaining('agentCapabilities.loadSession') as string,
    });
    expect(wire.sent).toHaveLength(1);
  });

  it('calls what the agent announced', async () => {
    const { wire, connection } = await initialized({ loadSession: true });
    const call = connection.request('session/load', { sessionId: 's', cwd: '/', mcpServers: [] });
    wire.arrive(resultFrame(1, null));
    expect(await call).toEqual({});
  });

  it('names the place of what is wrong in a result', async () => {
    const { wire, connection } = await initialized();
    const call = connection.request('session/new', { cwd: '/', mcpServers: [] });
    wire.arrive(resultFrame(1, { sessionId: 77 }));
    await expect(call).rejects.toMatchObject({
      code: 'invalid_response',
      message: expect.stringContaining('session/new: /sessionId must be string') as string,
    });
  });

  it('gives the exact text of a result, with big numbers and unknown members', async () => {
    const { wire, connection } = await initialized();
    const call = connection.requestRaw(
      'session/new',
      new RawJson('{"cwd":"/","mcpServers":[],"n":1.0}'),
    );
    expect(wire.sent[1]).toContain('"params":{"cwd":"/","mcpServers":[],"n":1.0}');
    const text = '{"z":12345678901234567890, "sessionId":"s","a":1.0}';
    wire.arrive(`{"jsonrpc":"2.0","result":${text},"id":1}`);
    const { result, raw } = await call;
    expect(raw.text).toBe(text);
    expect(result.sessionId).toBe('s');
  });

  it('gives known updates, repaired, and unknown kinds as they are, to the handler', async () => {
    const updates: unknown[] = [];
    const invalid: string[] = [];
    const { wire } = await initialized(
      {},
      {
        notifications: { 'session/update': ({ update }) => void updates.push(update) },
        invalidNotification: (_message, { path }) => void invalid.push(path),
      },
    );
    const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hi' } };
    const unknown = { sessionUpdate: 'of_the_future', anything: [1] };
    wire.arrive(
      update(chunk),
      update({ ...chunk, content: { type: 'text', text: 5 } }),
      update(unknown),
      update({ ...chunk, messageId: 'm' }),
    );
    await turn();
    await turn();
    expect(updates).toEqual([chunk, unknown, { ...chunk, messageId: 'm' }]);
    expect(invalid).toEqual(['/update/content/text']);
    expect(wire.sent).toHaveLength(1);
  });

  it('answers -32601 to what it does not handle', async () => {
    const { wire } = await initialized();
    const methods = ['fs/read_text_file', 'terminal/create', '_x/y', 'elicitation/create'];
    wire.arrive(...methods.map((method, id) => requestFrame(id, method, {})));
    expect((await wire.whenSent(5)).slice(1)).toMatchObject(
      methods.map((_method, id) => ({ id, error: { code: -32601 } })),
    );
  });

  it('refuses what it did not offer, also when it has a handler for it', async () => {
    const { wire } = await initialized({}, { requests: { 'terminal/kill': () => ({}) } });
    wire.arrive(requestFrame(1, 'terminal/kill', { sessionId: 's', terminalId: 't' }));
    expect((await wire.whenSent(2))[1]).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  it('keeps the id spaces of the two directions apart', async () => {
    const { wire, connection } = await initialized(
      {},
      {
        requests: { 'fs/read_text_file': () => ({ content: 'c' }) },
      },
    );
    const call = connection.request('session/prompt', PROMPT);
    wire.arrive(requestFrame(1, 'fs/read_text_file', { sessionId: 's', path: '/f' }));
    expect((await wire.whenSent(3))[2]).toMatchObject({ id: 1, result: { content: 'c' } });
    wire.arrive(resultFrame(1, { stopReason: 'end_turn' }));
    expect(await call).toEqual({ stopReason: 'end_turn' });
  });

  it('applies updates that came in the same read as the answer to session/new, in order', async () => {
    const log: string[] = [];
    const { wire, connection } = await initialized(
      {},
      {
        notifications: {
          'session/update': ({ sessionId }) => void log.push(`update ${sessionId}`),
        },
      },
    );
    const call = connection.request('session/new', { cwd: '/', mcpServers: [] });
    const stored = call.then(({ sessionId }) => log.push(`stored ${sessionId}`));
    const text = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } };
    wire.arrive(resultFrame(1, { sessionId: 's' }), update(text), update(text));
    await stored;
    await turn();
    expect(log).toEqual(['stored s', 'update s', 'update s']);
  });

  it('survives banners before and between the frames of an agent', async () => {
    const { wire, connection } = create();
    const handshake = connection.initialize({ clientCapabilities: {} });
    wire.arrive('Starting…', '{"level":"info"}', resultFrame(0, { protocolVersion: 1 }), 'done');
    await handshake;
    await turn();
    expect(wire.sent).toHaveLength(1);
    expect(connection.noise.count).toBe(3);
  });

  it('says closed, not a wrong state, when the agent is gone', async () => {
    const { wire, connection } = create();
    wire.end();
    await connection.closed;
    await expect(connection.request('session/prompt', PROMPT)).rejects.toMatchObject({
      code: 'closed',
    });
  });
});

function update(content: unknown): string {
  return notificationFrame('session/update', { sessionId: 's', update: content });
}

function create(handlers: Partial<ClientHandlers> = {}) {
  const wire = new ScriptedTransport();
  const connection = new ClientConnection(wire, { requests: {}, notifications: {}, ...handlers });
  return { wire, connection };
}

async function initialized(
  agentCapabilities: AgentCapabilities = {},
  handlers: Partial<ClientHandlers> = {},
) {
  const created = create(handlers);
  const handshake = created.connection.initialize({
    clientCapabilities: { fs: { readTextFile: true } },
  });
  created.wire.arrive(resultFrame(0, { protocolVersion: 1, agentCapabilities }));
  await handshake;
  return created;
}
