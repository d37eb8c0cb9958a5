import { randomUUID } from 'node:crypto';
import {
  AgentConnection,
  ErrorCode,
  RpcError,
  type AgentHandlers,
  type NewSessionRequest,
  type NewSessionResponse,
  type PeerOptions,
  type Transport,
} from '@signalbox/acp';
import { DEFAULT_LOOP_LIMITS, type LoopLimits } from './loop/limits.ts';
import { openMcpServers, takeServers } from './mcp/mcp-servers.ts';
import { createBuiltinModel } from './model/builtin/builtin-model.ts';
import type { Model } from './model/model.ts';
import { Session } from './session/session.ts';
import { AGENT_INFO, CAPABILITIES } from './capabilities.ts';
import { within } from './process/within.ts';
import { isRefusal, Workspace } from './workspace/workspace.ts';

/** How an agent is set up. */
export interface AgentOptions {
  /** What thinks; the built-in deterministic model if absent. */
  readonly model?: Model;
  readonly limits?: Partial<LoopLimits>;
  /** How long an MCP server may take to start; default 10 000 ms. */
  readonly mcpStartMsMax?: number;
  /** Told about what goes wrong and nobody else hears of. */
  readonly log?: (line: string) => void;
  /** Options of the connection, for tests. */
  readonly connection?: PeerOptions;
}

/** How long ending the turns and the MCP servers may take once the connection has ended. */
const CLOSE_MS_MAX = 3000;

/** The agent on one connection: its sessions live and end with it. */
export class Agent {
  readonly #sessions = new Map<string, Session>();
  readonly #connection: AgentConnection;
  readonly #model: Model;
  readonly #limits: LoopLimits;
  readonly #options: AgentOptions;
  /** Sessions that are being opened, and what gives them up. */
  readonly #opening = new Set<Promise<unknown>>();
  readonly #ended = new AbortController();
  /** Resolves, never rejects, when the connection and everything that ran for it have ended. */
  readonly closed: Promise<void>;

  constructor(transport: Transport, options: AgentOptions = {}) {
    this.#options = options;
    this.#model = options.model ?? createBuiltinModel();
    this.#limits = { ...DEFAULT_LOOP_LIMITS, ...options.limits };
    this.#connection = new AgentConnection(
      transport,
      this.#createHandlers(options.log),
      options.connection,
    );
    this.closed = this.#connection.closed.then(() => this.#closeSessions());
  }

  /** Ends the connection and everything that runs for it. */
  async close(): Promise<void> {
    await this.#connection.close();
    await this.closed;
  }

  #createHandlers(log: AgentOptions['log']): AgentHandlers {
    return {
      initialize: () => ({ agentInfo: AGENT_INFO, agentCapabilities: CAPABILITIES }),
      requests: {
        'session/new': (params, { signal }) => {
          const opened = this.#openSession(params, AbortSignal.any([signal, this.#ended.signal]));
          this.#opening.add(opened);
          return opened.finally(() => this.#opening.delete(opened));
        },
        'session/prompt': ({ sessionId, prompt }, { signal }) =>
          this.#session(sessionId).prompt(prompt, signal),
        'session/set_mode': async ({ sessionId, modeId }) => {
          await this.#session(sessionId).setMode(modeId);
          return {};
        },
        'session/close': async ({ sessionId }) => {
          const session = this.#session(sessionId);
          this.#sessions.delete(sessionId);
          await session.close();
          return {};
        },
      },
      notifications: {
        'session/cancel': ({ sessionId }) => this.#sessions.get(sessionId)?.cancel(),
      },
      onProblem: ({ message, cause }) => log?.(problemText(message, cause)),
    };
  }

  async #openSession(params: NewSessionRequest, signal: AbortSignal): Promise<NewSessionResponse> {
    const servers = takeServers(params.mcpServers);
    const workspace = await Workspace.open(params.cwd, params.additionalDirectories ?? []);
    if (isRefusal(workspace)) throw new RpcError(ErrorCode.InvalidParams, workspace.refused);
    const { log = () => undefined, mcpStartMsMax } = this.#options;
    const mcp = await openMcpServers(servers, {
      cwd: params.cwd,
      signal,
      log,
      ...(mcpStartMsMax === undefined ? {} : { startMsMax: mcpStartMsMax }),
    });
    const sessionId = randomUUID();
    const session = new Session({
      workspace,
      model: this.#model,
      limits: this.#limits,
      mcp,
      client: {
        takesNotices: this.#connection.client?.clientCapabilities?.session?.notices != null,
        update: (update) => this.#connection.notify('session/update', { sessionId, update }),
        requestPermission: (request, signal) => {
          const params = { sessionId, ...request };
          return this.#connection.request('session/request_permission', params, { signal });
        },
      },
    });
    this.#sessions.set(sessionId, session);
    // The client can place updates only once it has the response (R-SES-11).
    setImmediate(() => {
      // Fails only if the connection has ended meanwhile, which ends the session too.
      session.announce().catch(() => undefined);
    });
    return { sessionId, modes: session.modes };
  }

  /** @throws RpcError -32002 for a session that does not exist. */
  #session(sessionId: string): Session {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) return session;
    const message = 'there is no such session';
    throw new RpcError(ErrorCode.ResourceNotFound, message, { sessionId });
  }

  async #closeSessions(): Promise<void> {
    this.#ended.abort();
    const closing = [...this.#sessions.values()].map((session) => session.close());
    this.#sessions.clear();
    await within(Promise.allSettled([...closing, ...this.#opening]), CLOSE_MS_MAX);
  }
}

function problemText(message: string, cause: unknown): string {
  return cause instanceof Error ? `${message}: ${cause.stack ?? cause.message}` : message;
}
