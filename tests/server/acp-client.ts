import {
  ClientConnection,
  connectHttp,
  connectWebSocket,
  type InitializeResponse,
  type PromptResponse,
  type SessionUpdate,
  type Transport,
} from '@signalbox/acp';
import { openNodeSocket } from '@signalbox/acp/node-client';
import type { Box } from './box.ts';

export type Door = 'websocket' | 'http';

/** An ordinary ACP client of a server. */
export class AcpClient {
  readonly connection: ClientConnection;
  readonly updates: SessionUpdate[] = [];
  #onUpdate: (() => void)[] = [];

  private constructor(transport: Transport) {
    this.connection = new ClientConnection(transport, {
      requests: {},
      notifications: {
        'session/update': ({ update }) => {
          this.updates.push(update);
          for (const look of this.#onUpdate.splice(0)) look();
        },
      },
    });
  }

  static async open(box: Box, door: Door, headers: Record<string, string>): Promise<AcpClient> {
    const client = new AcpClient(await connect(box.url('/acp'), door, headers));
    await client.initialize();
    return client;
  }

  async initialize(): Promise<InitializeResponse> {
    const { result } = await this.connection.initialize({ clientCapabilities: {} });
    return result;
  }

  async newSession(cwd: string): Promise<string> {
    const { sessionId } = await this.connection.request('session/new', { cwd, mcpServers: [] });
    return sessionId;
  }

  prompt(sessionId: string, text: string): Promise<PromptResponse> {
    const prompt = [{ type: 'text', text } as const];
    return this.connection.request('session/prompt', { sessionId, prompt });
  }

  /** Resolves when the agent has said exactly this. */
  untilSaid(text: string): Promise<void> {
    const hasSaid = (): boolean =>
      this.updates.some(
        (update) =>
          update.sessionUpdate === 'agent_message_chunk' &&
          update.content.type === 'text' &&
          update.content.text === text,
      );
    if (hasSaid()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = (): void => {
        if (hasSaid()) resolve();
        else this.#onUpdate.push(look);
      };
      this.#onUpdate.push(look);
    });
  }
}

async function connect(
  url: string,
  door: Door,
  headers: Record<string, string>,
): Promise<Transport> {
  if (door === 'websocket') {
    const createSocket = (address: string) => openNodeSocket(address, { headers });
    return (await connectWebSocket(url.replace(/^http/, 'ws'), { createSocket })).transport;
  }
  return connectHttp(url, { headers: () => headers }).transport;
}
