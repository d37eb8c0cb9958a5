import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { client, type PromptResponse } from '@agentclientprotocol/sdk';
import { createNodeWebSocketUpgradeHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer, WebSocket as WsSocket } from 'ws';
import { serveOurAgentOver } from '../../../../../tests/fixtures/acp/our-agent.ts';
import { createSdkAgent } from '../../../../../tests/fixtures/acp/sdk-agent.ts';
import { turn } from '../../../../../tests/support/scripted-transport.ts';
import { EndpointStage } from '../../../../../tests/support/web-socket/endpoint-stage.ts';
import { SOCKET_KINDS } from '../../../../../tests/support/web-socket/socket-kinds.ts';
import { ClientConnection } from '../../connection/client-connection.ts';
import { connectWebSocket } from './connect-web-socket.ts';
import type { WebSocketLike } from './web-socket-like.ts';

/** What a client saw of a conversation of new, prompt with updates and permission, and cancel. */
interface Conversation {
  readonly chunks: readonly string[];
  readonly stopReasons: readonly string[];
}

const PROMPT = [{ type: 'text', text: 'go' } as const];
const WAIT = [{ type: 'text', text: 'wait' } as const];
const YES = { outcome: { outcome: 'selected', optionId: 'yes' } } as const;
const EXPECTED: Conversation = {
  chunks: Array.from({ length: 50 }, (_, i) => `chunk ${i}`),
  stopReasons: ['end_turn', 'cancelled'],
};

const disposals: (() => unknown)[] = [];

afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

describe('the WebSocket endpoint with a client of the official SDK', () => {
  it.each([
    ['of Node', WsSocket],
    ['of the platform', undefined],
  ])('has a conversation over a socket %s', async (_name, WebSocket) => {
    const stage = await startOurServer();
    const options = WebSocket === undefined ? {} : { WebSocket };
    const stream = createWebSocketStream(stage.url, options);
    expect(await converseWithSdkClient(stream)).toEqual(EXPECTED);
    while (stage.endpoint.connectionCount > 0) await turn();
  });
});

describe('our client', () => {
  it.each(Object.entries(SOCKET_KINDS))(
    'has a conversation with a server of the official SDK over %s',
    async (_name, createSocket) => {
      expect(await converseWithOurClient(await startSdkServer(), createSocket)).toEqual(EXPECTED);
    },
  );

  it.each(Object.entries(SOCKET_KINDS))(
    'has the same with our endpoint over %s',
    async (_name, createSocket) => {
      const { url } = await startOurServer();
      expect(await converseWithOurClient(url, createSocket)).toEqual(EXPECTED);
    },
  );

  it('learns the connection id of a server of the official SDK', async () => {
    const createSocket = SOCKET_KINDS['our Node socket'];
    if (createSocket === undefined) throw new Error('no such kind');
    const opened = await connectWebSocket(await startSdkServer(), { createSocket });
    expect(opened.connectionId).toMatch(/^[0-9a-f-]{36}$/);
    await opened.transport.close();
  });
});

async function startOurServer(): Promise<EndpointStage> {
  const stage = await EndpointStage.start({
    accept: ({ transport }) => void serveOurAgentOver(transport),
  });
  disposals.push(() => stage.dispose());
  return stage;
}

async function startSdkServer(): Promise<string> {
  const acpServer = new AcpServer({ createAgent: createSdkAgent });
  const webSockets = new WebSocketServer({ noServer: true });
  const server = createServer();
  server.on('upgrade', createNodeWebSocketUpgradeHandler(acpServer, webSockets));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  disposals.push(
    () => server.close(),
    () => acpServer.close(),
  );
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
}

async function converseWithOurClient(
  url: string,
  createSocket: (url: string) => WebSocketLike,
): Promise<Conversation> {
  const chunks: string[] = [];
  const { transport } = await connectWebSocket(url, { createSocket });
  const connection = new ClientConnection(transport, {
    requests: { 'session/request_permission': () => YES },
    notifications: {
      'session/update': ({ update }) => {
        if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
          chunks.push(update.content.text);
        }
      },
    },
  });
  await connection.initialize({ clientCapabilities: {} });
  const { sessionId } = await connection.request('session/new', { cwd: '/', mcpServers: [] });
  const first = await connection.request('session/prompt', { sessionId, prompt: PROMPT });
  const second = connection.request('session/prompt', { sessionId, prompt: WAIT });
  void connection.notify('session/cancel', { sessionId });
  const stopReasons = [first.stopReason, (await second).stopReason];
  await connection.close();
  return { chunks, stopReasons };
}

async function converseWithSdkClient(
  stream: ReturnType<typeof createWebSocketStream>,
): Promise<Conversation> {
  const chunks: string[] = [];
  const connection = client({ name: 'sdk-client' })
    .onNotification('session/update', ({ params: { update } }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
        chunks.push(update.content.text);
      }
    })
    .onRequest('session/request_permission', () => YES)
    .connect(stream);
  const { agent } = connection;
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await agent.request('session/new', { cwd: '/', mcpServers: [] });
  const first = await agent.request<PromptResponse>('session/prompt', {
    sessionId,
    prompt: PROMPT,
  });
  const second = agent.request<PromptResponse>('session/prompt', { sessionId, prompt: WAIT });
  await agent.notify('session/cancel', { sessionId });
  const stopReasons = [first.stopReason, (await second).stopReason];
  connection.close();
  return { chunks, stopReasons };
}
