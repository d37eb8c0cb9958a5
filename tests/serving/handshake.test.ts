import { createMemoryTransports, Peer } from '@signalbox/acp';
import { createMemoryJournal } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { errorOf } from './editor.ts';
import { Stage } from './stage.ts';

const INITIALIZE = JSON.stringify({
  agentInfo: { name: 'behind', title: 'The Agent', version: '7' },
  agentCapabilities: {
    promptCapabilities: { image: true },
    mcpCapabilities: { http: true },
    sessionCapabilities: { additionalDirectories: {} },
    auth: { logout: {} },
  },
  authMethods: [
    { id: 'key', name: 'API key', description: 'from the web' },
    { id: 'cli', name: 'In a terminal', type: 'terminal', args: ['--login'], env: { A: '1' } },
  ],
});

const BARE = { list: {}, resume: {}, close: {}, delete: {} };

describe('the handshake', () => {
  it('announces what the host can for every agent, and what this agent can', async () => {
    const stage = await Stage.open({ env: { INITIALIZE } });
    const { connection } = await stage.connect();
    expect(connection.agent).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'signalbox', title: 'The Agent (Signalbox)', version: '1.2.3' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: false },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { ...BARE, additionalDirectories: {} },
        auth: { logout: {} },
      },
    });
  });

  it('announces nothing on behalf of an agent that can nothing', async () => {
    const stage = await Stage.open();
    const { agentCapabilities, authMethods } = (await stage.connect()).connection.agent ?? {};
    expect(agentCapabilities?.loadSession).toBe(true);
    expect(agentCapabilities?.sessionCapabilities).toEqual(BARE);
    expect(agentCapabilities?.auth).toBeUndefined();
    expect(authMethods).toEqual([]);
  });

  const PARTIAL: [said: string, isImage: boolean][] = [
    ['{}', false],
    ['{"agentCapabilities":null,"authMethods":null,"agentInfo":null}', false],
    ['{"agentCapabilities":{"promptCapabilities":null,"sessionCapabilities":null}}', false],
    ['{"agentCapabilities":{"promptCapabilities":{"image":true}}}', true],
    [
      '{"agentCapabilities":{"promptCapabilities":{"image":true,"future":{}},"loadSession":"yes"}}',
      true,
    ],
    [
      '{"agentCapabilities":{"promptCapabilities":{"image":true},"mcpCapabilities":[]},"authMethods":[5]}',
      true,
    ],
  ];
  it.each(PARTIAL)('keeps what fits of what an agent says: %s (B38)', async (said, isImage) => {
    const stage = await Stage.open({ env: { INITIALIZE: said } });
    const editor = await stage.connect();
    const { agentCapabilities, authMethods } = editor.connection.agent ?? {};
    expect(agentCapabilities?.promptCapabilities?.image).toBe(isImage);
    expect(authMethods).toEqual([]);
    const sessionId = await editor.newSession(stage.folder);
    expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
  });

  it('passes the ways to sign in on, those in a terminal only to a client that can run us', async () => {
    const stage = await Stage.open({ env: { INITIALIZE } });
    const key = { id: 'key', name: 'API key', description: 'from the web' };
    const terminalLogin = (id: string): string[] => ['--login', id];
    const capabilities = { auth: { terminal: true } };
    const plain = await stage.connect({ terminalLogin });
    const able = await stage.connect({ terminalLogin, capabilities });
    const remote = await stage.connect({ capabilities });
    expect(plain.connection.agent?.authMethods).toEqual([key]);
    expect(remote.connection.agent?.authMethods).toEqual([key]);
    expect(able.connection.agent?.authMethods).toEqual([
      key,
      { id: 'cli', name: 'In a terminal', type: 'terminal', args: ['--login', 'cli'] },
    ]);
  });

  it('asks an agent once, also for clients that come at the same time', async () => {
    const stage = await Stage.open({ env: { INITIALIZE } });
    await Promise.all([stage.connect(), stage.connect(), stage.connect()]);
    await stage.connect();
    expect(stage.starts).toHaveLength(1);
  });

  it('remembers the answer for the next host, for which no process is started', async () => {
    const journal = createMemoryJournal();
    const first = await Stage.open({ env: { INITIALIZE }, journal });
    await first.connect();
    const second = await Stage.open({ env: { INITIALIZE }, journal });
    const { agent } = (await second.connect()).connection;
    expect(agent?.agentInfo?.title).toBe('The Agent (Signalbox)');
    expect(agent?.agentCapabilities?.promptCapabilities?.image).toBe(true);
    expect(second.starts).toHaveLength(0);
  });

  it('asks again when the name stands for another command', async () => {
    const journal = createMemoryJournal();
    await (await Stage.open({ env: { INITIALIZE }, journal })).connect();
    const other = await Stage.open({ journal, entry: { command: ['/nonexistent/agent'] } });
    await expect(other.agent.describe()).rejects.toThrow('/nonexistent/agent');
  });

  it('is brought up to date by every start of a session', async () => {
    const journal = createMemoryJournal();
    await (await Stage.open({ env: { INITIALIZE }, journal })).connect();
    const newer = INITIALIZE.replace('"image":true', '"audio":true').replace('"7"', '"8"');
    const stage = await Stage.open({ env: { INITIALIZE: newer }, journal });
    const editor = await stage.connect();
    expect(editor.connection.agent?.agentCapabilities?.promptCapabilities?.audio).toBe(false);
    await editor.newSession(stage.folder);
    const next = await stage.connect();
    expect(next.connection.agent?.agentCapabilities?.promptCapabilities?.audio).toBe(true);
  });

  it('succeeds when the agent cannot be started, and a session says why there is none', async () => {
    const stage = await Stage.open({ agent: 'exits-at-once' });
    const editor = await stage.connect();
    expect(editor.connection.agent?.agentCapabilities?.loadSession).toBe(true);
    expect(stage.logged.join()).toContain('could not be asked');
    const error = await errorOf(editor.newSession(stage.folder));
    expect(error).toMatchObject({ code: -32603, data: { failure: 'agent_handshake_failed' } });
    expect(error.message).toContain('no licence');
    const { sessions } = await editor.connection.request('session/list', {});
    expect(sessions).toEqual([]);
  });

  const VERSIONS: [asked: unknown, answer: object][] = [
    [1, { result: { protocolVersion: 1 } }],
    [0, { result: { protocolVersion: 1 } }],
    [65535, { result: { protocolVersion: 1 } }],
    ['2024-11-05', { error: { code: -32602 } }],
    [null, { error: { code: -32602 } }],
    [undefined, { error: { code: -32602 } }],
  ];
  it.each(VERSIONS)('answers version %s as the protocol says', async (protocolVersion, answer) => {
    const stage = await Stage.open();
    const [ours, theirs] = createMemoryTransports();
    const server = stage.serve(ours);
    const peer = new Peer(theirs, { onRequest: () => ({}), onNotification: () => undefined });
    const got = await peer.request('initialize', { protocolVersion }).then(
      ({ result }) => ({ result }),
      ({ code }: { code: number }) => ({ error: { code } }),
    );
    expect(got).toMatchObject(answer);
    await peer.close();
    await server.closed;
  });

  it('refuses everything before it', async () => {
    const stage = await Stage.open();
    const [ours, theirs] = createMemoryTransports();
    stage.serve(ours);
    const peer = new Peer(theirs, { onRequest: () => ({}), onNotification: () => undefined });
    const params = { cwd: stage.folder, mcpServers: [] };
    expect(await errorOf(peer.request('session/new', params))).toMatchObject({ code: -32600 });
    await peer.close();
  });
});
