import {
  ClientConnection,
  memberText,
  type ClientCapabilities,
  type ClientHandlers,
  type ContentBlock,
  type InitializeResponse,
  type NewSessionResponse,
  type PromptResponse,
  type RequestContext,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type Transport,
} from '@signalbox/acp';
import type { AcpServer } from '../../packages/host/src/index.ts';

type MaybePromise<T> = T | Promise<T>;

export interface EditorOptions {
  readonly capabilities?: ClientCapabilities;
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Answers requests for leave. Default: never. */
  readonly onPermission?: (
    request: RequestPermissionRequest,
    context: RequestContext,
  ) => MaybePromise<RequestPermissionResponse>;
  readonly requests?: ClientHandlers['requests'];
}

/** A client for tests, which remembers what arrived, with the exact texts. */
export class Editor {
  readonly connection: ClientConnection;
  readonly server: AcpServer;
  /** Updates and answers to prompts, in the order in which they arrived. */
  readonly arrived: { sessionId: string; update: SessionUpdate; text: string }[] = [];
  readonly permissions: { request: RequestPermissionRequest; text: string; signal: AbortSignal }[] =
    [];
  /** Every frame that came. */
  readonly frames: string[] = [];
  readonly #options: EditorOptions;
  #waiting: { isMet: () => boolean; resolve: () => void }[] = [];
  #held: Promise<void> | undefined;
  #letGo: (() => void) | undefined;

  constructor(transport: Transport, server: AcpServer, options: EditorOptions) {
    this.server = server;
    this.#options = options;
    this.connection = new ClientConnection(
      transport,
      {
        requests: {
          ...options.requests,
          'session/request_permission': (request, context, { text }) => {
            this.permissions.push({ request, text, signal: context.signal });
            this.#wake();
            const { onPermission } = options;
            return onPermission?.(request, context) ?? new Promise(() => undefined);
          },
        },
        notifications: {
          'session/update': ({ sessionId, update }, { text }) => {
            const exact = memberText(memberText(text, 'params') ?? '', 'update') ?? '';
            this.arrived.push({ sessionId, update, text: exact });
            this.#wake();
          },
        },
        readyForMore: () => this.#held,
      },
      {
        tap: (direction, frame) => {
          if (direction === 'in' && typeof frame === 'string') this.frames.push(frame);
        },
      },
    );
  }

  async initialize(): Promise<InitializeResponse> {
    const { capabilities = {}, clientInfo } = this.#options;
    const { result } = await this.connection.initialize({
      clientCapabilities: capabilities,
      ...(clientInfo === undefined ? {} : { clientInfo }),
    });
    return result;
  }

  async newSession(cwd: string): Promise<string> {
    const { sessionId } = await this.open(cwd);
    return sessionId;
  }

  open(cwd: string): Promise<NewSessionResponse> {
    return this.connection.request('session/new', { cwd, mcpServers: [] });
  }

  load(sessionId: string, cwd: string): Promise<unknown> {
    return this.connection.request('session/load', { sessionId, cwd, mcpServers: [] });
  }

  prompt(
    sessionId: string,
    content: string | ContentBlock[],
    _meta?: Record<string, unknown>,
  ): Promise<PromptResponse> {
    const prompt =
      typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
    const params = { sessionId, prompt, ...(_meta === undefined ? {} : { _meta }) };
    return this.connection.request('session/prompt', params);
  }

  cancel(sessionId: string): void {
    void this.connection.notify('session/cancel', { sessionId });
  }

  /** The updates of one session, or of all. */
  updates(sessionId?: string): SessionUpdate[] {
    return this.arrived
      .filter((item) => sessionId === undefined || item.sessionId === sessionId)
      .map(({ update }) => update);
  }

  /** Updates as short words: `agent: hello`, `plan`. */
  get story(): string[] {
    return this.updates().map(toWord);
  }

  get said(): string[] {
    return this.story.flatMap((word) => (word.startsWith('agent: ') ? [word.slice(7)] : []));
  }

  /** Forgets what has arrived. */
  clear(): void {
    this.arrived.length = 0;
    this.frames.length = 0;
  }

  /** Reads nothing any more, until the returned function is called. */
  stall(): () => void {
    this.#held = new Promise((resolve) => (this.#letGo = resolve));
    return () => {
      this.#held = undefined;
      this.#letGo?.();
    };
  }

  until(isMet: () => boolean): Promise<void> {
    if (isMet()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ isMet, resolve }));
  }

  untilSaid(text: string): Promise<void> {
    return this.until(() => this.said.includes(text));
  }

  untilAsked(count = 1): Promise<void> {
    return this.until(() => this.permissions.length >= count);
  }

  #wake(): void {
    const met = this.#waiting.filter(({ isMet }) => isMet());
    this.#waiting = this.#waiting.filter((waiting) => !met.includes(waiting));
    for (const { resolve } of met) resolve();
  }
}

function toWord(update: SessionUpdate): string {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      return `user: ${toText(update.content)}`;
    case 'agent_message_chunk':
      return `agent: ${toText(update.content)}`;
    case 'agent_thought_chunk':
      return `thought: ${toText(update.content)}`;
    case 'tool_call':
    case 'tool_call_update':
      return `${update.sessionUpdate}: ${update.toolCallId} ${update.status ?? ''}`.trim();
    default:
      return update.sessionUpdate;
  }
}

function toText(content: ContentBlock): string {
  return content.type === 'text' ? content.text : `(${content.type})`;
}

/** Answers by selecting an option. */
export function select(optionId: string): RequestPermissionResponse {
  return { outcome: { outcome: 'selected', optionId } };
}

/** The error that a call ends with. */
export async function errorOf(
  call: Promise<unknown>,
): Promise<{ code?: number; message: string; data?: unknown }> {
  try {
    await call;
  } catch (error) {
    return error as { code?: number; message: string; data?: unknown };
  }
  throw new Error('the call succeeded');
}
