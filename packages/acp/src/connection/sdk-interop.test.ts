import { spawn } from 'node:child_process';
import { PassThrough, Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { client, ndJsonStream } from '@agentclientprotocol/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { serveOurAgent } from '../../../../tests/fixtures/acp/our-agent.ts';
import { serveSdkAgent } from '../../../../tests/fixtures/acp/sdk-agent.ts';
import { createStdioTransport } from '../transport/stdio-transport.ts';
import type { PromptResponse } from '../protocol/v1/types.ts';
import { ClientConnection } from './client-connection.ts';

/** The byte streams of an agent, as its client sees them. */
interface AgentStreams {
  readonly input: Writable;
  readonly output: Readable;
}

/** What a client saw of the conversation that all pairs have. */
interface Conversation {
  readonly sessionId: string;
  readonly chunks: readonly string[];
  readonly stopReasons: readonly string[];
}

const PROMPT = [{ type: 'text', text: 'go' } as const];
const WAIT = [{ type: 'text', text: 'wait' } as const];
const ALL_CHUNKS = Array.from({ length: 50 }, (_, i) => `chunk ${i}`);

const running: (() => void)[] = [];

afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

const agents: [name: string, connect: () => AgentStreams][] = [
  ['our agent over byte streams', () => inProcess(serveOurAgent)],
  ['an SDK agent over byte streams', () => inProcess(serveSdkAgent)],
  ['our agent in a child process', () => inChild('our-agent.ts')],
  ['an SDK agent in a child process', () => inChild('sdk-agent.ts')],
];

describe('a conversation of new, prompt with updates and permission, and cancel', () => {
  it.each(agents)('works between our client and %s', async (_name, connect) => {
    const { chunks, stopReasons } = await converseWithOurClient(connect());
    expect(stopReasons).toEqual(['end_turn', 'cancelled']);
    expect(chunks).toEqual(ALL_CHUNKS);
  });

  it.each(agents)('works between an SDK client and %s', async (_name, connect) => {
    const { chunks, stopReasons } = await converseWithSdkClient(connect());
    expect(stopReasons).toEqual(['end_turn', 'cancelled']);
    expect(chunks).toEqual(ALL_CHUNKS);
  });
});

async function converseWithOurClient({ input, output }: AgentStreams): Promise<Conversation> {
  const chunks: string[] = [];
  const connection = new ClientConnection(createStdioTransport(output, input), {
    requests: {
      'session/request_permission': () => ({ outcome: { outcome: 'selected', optionId: 'yes' } }),
    },
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
  return { sessionId, chunks, stopReasons };
}

async function converseWithSdkClient({ input, output }: AgentStreams): Promise<Conversation> {
  const chunks: string[] = [];
  const connection = client({ name: 'sdk-client' })
    .onNotification('session/update', ({ params: { update } }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
        chunks.push(update.content.text);
      }
    })
    .onRequest('session/request_permission', () => ({
      outcome: { outcome: 'selected', optionId: 'yes' },
    }))
    .connect(
      ndJsonStream(
        Writable.toWeb(input) as WritableStream<Uint8Array>,
        Readable.toWeb(output) as ReadableStream<Uint8Array>,
      ),
    );
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
  return { sessionId, chunks, stopReasons };
}

function inProcess(serve: (input: Readable, output: Writable) => unknown): AgentStreams {
  const [input, output] = [new PassThrough(), new PassThrough()];
  serve(input, output);
  return { input, output };
}

function inChild(program: string): AgentStreams {
  const path = fileURLToPath(new URL(`../../../../tests/fixtures/acp/${program}`, import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@signalbox/source', path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.push(() => child.kill());
  return { input: child.stdin, output: child.stdout };
}
