import {
  ClientConnection,
  createMemoryTransports,
  type NewSessionRequest,
  type PermissionOption,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@signalbox/acp';
import { Agent, type AgentOptions } from '../agent.ts';

type UpdateOf<K extends SessionUpdate['sessionUpdate']> = SessionUpdate & { sessionUpdate: K };

/** How the client of a test answers permission requests. */
export type Answer = (
  request: RequestPermissionRequest,
) => RequestPermissionResponse | Promise<RequestPermissionResponse>;

/** Answers by selecting the offered option of a kind. */
export function select(kind: PermissionOption['kind']): Answer {
  return ({ options }) => {
    const optionId = options.find((option) => option.kind === kind)?.optionId ?? 'none';
    return { outcome: { outcome: 'selected', optionId } };
  };
}

/** A client that is connected to an agent in the same process, and remembers what it was told. */
export class TestClient {
  readonly agent: Agent;
  readonly connection: ClientConnection;
  /** Updates and answered prompts, in the order in which they arrived. */
  readonly arrived: ({ sessionId: string; update: SessionUpdate } | { answered: string })[] = [];
  readonly permissions: RequestPermissionRequest[] = [];
  answer: Answer = select('allow_once');
  #waiting: { isMet: () => boolean; resolve: () => void }[] = [];

  constructor(options: AgentOptions = {}) {
    const [agentEnd, clientEnd] = createMemoryTransports();
    this.agent = new Agent(agentEnd, options);
    this.connection = new ClientConnection(clientEnd, {
      requests: {
        'session/request_permission': (request) => {
          this.permissions.push(request);
          this.#wake();
          return this.answer(request);
        },
      },
      notifications: {
        'session/update': ({ sessionId, update }) => {
          this.arrived.push({ sessionId, update });
          this.#wake();
        },
      },
    });
  }

  /** Connects and opens a session. */
  static async open(cwd: string, options: AgentOptions = {}, mode = 'auto'): Promise<TestSession> {
    const client = new TestClient(options);
    await client.connection.initialize({ clientCapabilities: {} });
    return client.openSession({ cwd, mcpServers: [] }, mode);
  }

  async openSession(request: NewSessionRequest, mode = 'auto'): Promise<TestSession> {
    const { sessionId } = await this.connection.request('session/new', request);
    if (mode !== 'ask') {
      await this.connection.request('session/set_mode', { sessionId, modeId: mode });
    }
    return new TestSession(this, sessionId);
  }

  /** Waits until something has arrived. */
  until(isMet: () => boolean): Promise<void> {
    if (isMet()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ isMet, resolve }));
  }

  #wake(): void {
    const met = this.#waiting.filter(({ isMet }) => isMet());
    this.#waiting = this.#waiting.filter((waiting) => !met.includes(waiting));
    for (const { resolve } of met) resolve();
  }
}

/** One session of a {@link TestClient}. */
export class TestSession {
  readonly client: TestClient;
  readonly id: string;

  constructor(client: TestClient, id: string) {
    this.client = client;
    this.id = id;
  }

  async prompt(text: string): Promise<PromptResponse> {
    const prompt = [{ type: 'text', text } as const];
    const request = { sessionId: this.id, prompt };
    const response = await this.client.connection.request('session/prompt', request);
    this.client.arrived.push({ answered: this.id });
    return response;
  }

  /** Runs a script of the built-in model. */
  script(...steps: readonly object[]): Promise<PromptResponse> {
    return this.prompt(toScript(...steps));
  }

  cancel(): void {
    void this.client.connection.notify('session/cancel', { sessionId: this.id });
  }

  updates<K extends SessionUpdate['sessionUpdate']>(kind: K): UpdateOf<K>[] {
    return this.client.arrived.flatMap((item) => {
      if ('answered' in item || item.sessionId !== this.id) return [];
      return item.update.sessionUpdate === kind ? [item.update as UpdateOf<K>] : [];
    });
  }

  /** Waits for an update of a kind, the newest of which meets a condition. */
  until<K extends SessionUpdate['sessionUpdate']>(
    kind: K,
    isMet: (update: UpdateOf<K>) => boolean = () => true,
  ): Promise<void> {
    return this.client.until(() => this.updates(kind).some(isMet));
  }

  /** All that the agent said. */
  get said(): string {
    return this.updates('agent_message_chunk')
      .map(({ content }) => (content.type === 'text' ? content.text : ''))
      .join('');
  }

  /** The statuses that each tool call went through, by id. */
  get statuses(): Record<string, string[]> {
    const statuses: Record<string, string[]> = {};
    for (const item of this.client.arrived) {
      if ('answered' in item || item.sessionId !== this.id) continue;
      const { update } = item;
      if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') {
        continue;
      }
      if (update.status) (statuses[update.toolCallId] ??= []).push(update.status);
    }
    return statuses;
  }
}

/** A prompt that holds a script of the built-in model. */
export function toScript(...steps: readonly object[]): string {
  return `\`\`\`signalbox-script\n${JSON.stringify(steps)}\n\`\`\``;
}
