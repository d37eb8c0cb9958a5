import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { agent, client } from '@agentclientprotocol/sdk';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createNodeHttpHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { afterEach, describe, expect, it } from 'vitest';
import { Http2Fetch } from '../../../../../tests/support/http/http2-fetch.ts';
import { HttpStage } from '../../../../../tests/support/http/http-stage.ts';
import { AgentConnection } from '../../connection/agent-connection.ts';
import { ClientConnection } from '../../connection/client-connection.ts';
import type { Transport } from '../../jsonrpc/transport.ts';
import type { PromptResponse } from '../../protocol/v1/types.ts';
import { connectHttp } from './client/connect-http.ts';
import type { HttpClientOptions } from './client/http-client-options.ts';

/** What a client saw of the conversation that all pairs have. */
interface Conversation {
  readonly chunks: readonly string[];
  readonly stopReasons: readonly string[];
}

const PROMPT = [{ type: 'text', text: 'go' } as const];
const WAIT = [{ type: 'text', text: 'wait' } as const];
const ALL_CHUNKS = Array.from({ length: 50 }, (_, i) => `chunk ${i}`);
const EXPECTED: Conversation = { chunks: ALL_CHUNKS, stopReasons: ['end_turn', 'cancelled'] };
const YES = { outcome: { outcome: 'selected', optionId: 'yes' } } as const;

const running: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

describe('a conversation of new, load, prompt with updates and permission, and cancel over HTTP', () => {
  it('works between our client and our endpoint', async () => {
    expect(await converseWithOurClient(await serveOurEndpoint())).toEqual(EXPECTED);
  });

  it('works between our client, which polls, and our endpoint', async () => {
    const url = await serveOurEndpoint();
    expect(await converseWithOurClient(url, { poll: true })).toEqual(EXPECTED);
  });

  it('works between our client and our endpoint over one connection of HTTP/2', async () => {
    const url = await serveOurEndpoint('h2c');
    const { fetch, close } = new Http2Fetch(new URL(url).origin);
    expect(await converseWithOurClient(url, { fetch })).toEqual(EXPECTED);
    close();
  });

  it('works between the SDK client and our endpoint', async () => {
    expect(await converseWithSdkClient(await serveOurEndpoint())).toEqual(EXPECTED);
  });

  it('works between our client and the SDK server', async () => {
    expect(await converseWithOurClient(await serveSdkServer())).toEqual(EXPECTED);
  });

  it('works between our client, which would poll, and the SDK server', async () => {
    const url = await serveSdkServer();
    expect(await converseWithOurClient(url, { poll: true })).toEqual(EXPECTED);
  });
});

async function converseWithOurClient(
  url: string,
  options: HttpClientOptions = {},
): Promise<Conversation> {
  const chunks: string[] = [];
  const connection = new ClientConnection(connectHttp(url, options).transport, {
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
  await connection.request('session/load', { sessionId: 'older', cwd: '/', mcpServers: [] });
  const first = await connection.request('session/prompt', { sessionId, prompt: PROMPT });
  const second = connection.request('session/prompt', { sessionId, prompt: WAIT });
  void connection.notify('session/cancel', { sessionId });
  const stopReasons = [first.stopReason, (await second).stopReason];
  await connection.close();
  return { chunks, stopReasons };
}

async function converseWithSdkClient(url: string): Promise<Conversation> {
  const chunks: string[] = [];
  const connection = client({ name: 'sdk-client' })
    .onNotification('session/update', ({ params: { update } }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
        chunks.push(update.content.text);
      }
    })
    .onRequest('session/request_permission', () => YES)
    .connect(createHttpStream(url));
  const { agent } = connection;
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await agent.request('session/new', { cwd: '/', mcpServers: [] });
  await agent.request('session/load', { sessionId: 'older', cwd: '/', mcpServers: [] });
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

async function serveOurEndpoint(protocol: 'http1' | 'h2c' = 'http1'): Promise<string> {
  const stage = await HttpStage.start({
    protocol,
    accept: ({ transport }) => serveOurAgent(transport),
  });
  running.push(() => stage.dispose());
  return stage.url;
}

/** Streams chunks, asks for a permission and ends; a prompt that says `wait` ends when it is cancelled. */
function serveOurAgent(transport: Transport): void {
  let cancel: (() => void) | undefined;
  const connection: AgentConnection = new AgentConnection(transport, {
    initialize: () => ({ agentCapabilities: { loadSession: true } }),
    requests: {
      'session/new': () => ({ sessionId: 'ours' }),
      'session/load': () => ({}),
      'session/prompt': async ({ sessionId, prompt }) => {
        if (prompt[0]?.type === 'text' && prompt[0].text === 'wait') {
          await new Promise<void>((resolve) => (cancel = resolve));
          return { stopReason: 'cancelled' };
        }
        for (const text of ALL_CHUNKS) {
          const content = { type: 'text', text } as const;
          const update = { sessionUpdate: 'agent_message_chunk', content } as const;
          await connection.notify('session/update', { sessionId, update });
        }
        const { outcome } = await connection.request('session/request_permission', {
          sessionId,
          toolCall: { toolCallId: 't' },
          options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
        });
        return { stopReason: outcome.outcome === 'selected' ? 'end_turn' : 'refusal' };
      },
    },
    notifications: { 'session/cancel': () => cancel?.() },
  });
}

async function serveSdkServer(): Promise<string> {
  const acp = new AcpServer({ createAgent: sdkAgent });
  const server = createServer(createNodeHttpHandler(acp));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  running.push(async () => {
    await acp.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
}

/** The same as {@link serveOurAgent}. */
function sdkAgent() {
  let cancel: (() => void) | undefined;
  return agent({ name: 'sdk-agent' })
    .onRequest('initialize', () => ({
      protocolVersion: 1,
      agentCapabilities: { loadSession: true },
    }))
    .onRequest('session/new', () => ({ sessionId: 'sdk' }))
    .onRequest('session/load', () => ({}))
    .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
      if (prompt[0]?.type === 'text' && prompt[0].text === 'wait') {
        await new Promise<void>((resolve) => (cancel = resolve));
        return { stopReason: 'cancelled' };
      }
      for (const text of ALL_CHUNKS) {
        const content = { type: 'text', text } as const;
        const update = { sessionUpdate: 'agent_message_chunk', content } as const;
        await client.notify('session/update', { sessionId, update });
      }
      const { outcome } = await client.request('session/request_permission', {
        sessionId,
        toolCall: { toolCallId: 't' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      });
      return { stopReason: outcome.outcome === 'selected' ? 'end_turn' : 'refusal' };
    })
    .onNotification('session/cancel', () => cancel?.());
}
