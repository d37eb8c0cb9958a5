import {
  AgentConnection,
  type CloseReason,
  type InitializeRequest,
  type InitializeResponse,
  type Transport,
} from '@signalbox/acp';
import type { SessionId, SessionSettings } from '@signalbox/core';
import { toWords } from '../host-error.ts';
import type { Host } from '../hosting/host.ts';
import { toAnnouncement, type TerminalLogin } from './announcement.ts';
import { toAttachedClient } from './attached-editor.ts';
import { nameClient } from './client-names.ts';
import { createHandlers } from './handlers.ts';
import { toPlace } from './places.ts';
import type { Role } from './role.ts';
import type { AgentDescription, ServedAgent } from './served-agent.ts';
import type { AnnouncedClient } from './opened-sessions.ts';
import { ServedSessions } from './served-sessions.ts';
import { watchEnd } from './watch-end.ts';

/** What {@link serveAcp} needs. */
export interface ServeAcpOptions {
  readonly host: Host;
  readonly transport: Transport;
  /** The agent that the client sees. */
  readonly agent: ServedAgent;
  /** What the log calls the client. Default: what it calls itself. */
  readonly clientName?: string;
  /** For the sessions that the client opens. */
  readonly settings?: Partial<SessionSettings>;
  /** The most that the client may do. Default `driver`. */
  readonly role?: Role;
  /**
   * Whether the client may lose its connection, or a stream of it, and come back: then every update
   * carries its place in the log. Default false; a client may ask for it when it announces itself.
   */
  readonly isRemote?: boolean;
  /** Finds the agents that a client may name when it restores a session. Default: only `agent`. */
  readonly findAgent?: (name: string) => ServedAgent | undefined;
  /** Offers the agent's sign-in in a terminal, where the client can run this program in one. */
  readonly terminalLogin?: TerminalLogin;
  /** For what nobody is told of. */
  readonly log?: (line: string) => void;
}

/** One client that is served. */
export interface AcpServer {
  /** Resolves, never rejects, as soon as nothing more will come from the client. */
  readonly gone: Promise<void>;
  /** Resolves, never rejects, when the connection has ended and nothing more is sent. */
  readonly closed: Promise<CloseReason>;
  /** Updates that were not sent because the protocol forbids them, or the client does not take them. */
  readonly withheldCount: number;
  /** Resolves when the client's prompts under way have been answered, or after `limitMs`. */
  whenIdle(limitMs: number): Promise<void>;
  /**
   * Ends the connection. What runs in the sessions goes on, and prompts under way are answered as
   * cancelled requests.
   *
   * @param graceMs how long prompts under way may take until they are answered otherwise. Default 0.
   */
  close(graceMs?: number): Promise<CloseReason>;
  /**
   * The client has lost the stream of a session and comes back with a cursor.
   *
   * @returns sends on behind the cursor; until then nothing with a cursor is sent for the session.
   * @throws RpcError when the cursor is malformed or another session's, or the session is not open.
   */
  rewind(sessionId: string, cursor: string): Promise<() => void>;
}

/**
 * Serves one client, such as an editor, as its ACP agent: a host's sessions with one agent. Session ids
 * are the host's own; history, lists and resuming come from the log, whatever the agent can. The end of
 * the connection detaches the client and ends nothing.
 */
export function serveAcp(options: ServeAcpOptions): AcpServer {
  return new Server(options);
}

type Client = ReturnType<typeof nameClient>;

class Server implements AcpServer {
  readonly closed: Promise<CloseReason>;
  readonly gone: Promise<void>;
  readonly #options: ServeAcpOptions;
  readonly #connection: AgentConnection;
  readonly #sessions: ServedSessions;
  #by: Client | undefined;
  #client: AnnouncedClient | undefined;
  #isEnding = false;
  #withheldCount = 0;

  constructor(options: ServeAcpOptions) {
    this.#options = options;
    const { host, agent, settings = {}, role = 'driver', log = () => undefined } = options;
    let onGone!: () => void;
    this.gone = new Promise((resolve) => (onGone = resolve));
    const transport = watchEnd(options.transport, (hasFailed) => {
      this.#isEnding = true;
      // The end of the connection may take a while, in which logs would be told to nobody.
      if (hasFailed) this.#sessions.end();
      onGone();
    });
    const sessions = (): ServedSessions => this.#sessions;
    const by = (): Client =>
      (this.#by ??= nameClient(host, this.#clientName(), ourMeta(this.#connection)?.clientId));
    const handlers = createHandlers({
      by,
      host,
      agent,
      role,
      findAgent: (name) => (name === agent.name ? agent : options.findAgent?.(name)),
      sessions,
      client: () => {
        const capabilities = this.#connection.client?.clientCapabilities ?? {};
        return toAttachedClient(this.#connection, capabilities, () => undefined);
      },
      isEnding: () => this.#isEnding,
      initialize: (params) => this.#initialize(params),
      onSignedIn: (methodId) => host.noteSignIn(agent.name, methodId),
    });
    this.#connection = new AgentConnection(transport, {
      ...handlers,
      onProblem: ({ kind, message, cause }) => {
        // The rest is what clients may send.
        if (kind === 'handler_failed') log(`${message}: ${stackOf(cause)}`);
      },
    });
    this.#sessions = new ServedSessions({
      host,
      agent,
      settings,
      role,
      log,
      connection: this.#connection,
      client: () => (this.#client ??= toAnnounced(this.#connection, options.isRemote === true)),
      by,
      isEnding: () => this.#isEnding,
      onWithheld: (sessionId, reason) => {
        this.#withheldCount++;
        log(`session ${sessionId}: an update was not sent: ${reason}`);
      },
    });
    this.closed = this.#watchEnd();
  }

  get withheldCount(): number {
    return this.#withheldCount;
  }

  async close(graceMs = 0): Promise<CloseReason> {
    this.#isEnding = true;
    if (graceMs > 0) await this.#sessions.whenIdle(graceMs);
    this.#sessions.end();
    await this.#connection.close();
    return this.closed;
  }

  whenIdle(limitMs: number): Promise<void> {
    return this.#sessions.whenIdle(limitMs);
  }

  rewind(sessionId: string, cursor: string): Promise<() => void> {
    return this.#sessions.rewind(sessionId, toPlace(sessionId as SessionId, cursor));
  }

  async #watchEnd(): Promise<CloseReason> {
    const reason = await this.#connection.closed;
    this.#sessions.end();
    return reason;
  }

  #clientName(): string {
    const info = this.#connection.client?.clientInfo;
    return this.#options.clientName ?? info?.title ?? info?.name ?? 'client';
  }

  async #initialize({
    clientCapabilities,
  }: InitializeRequest): Promise<Omit<InitializeResponse, 'protocolVersion'>> {
    const { agent, terminalLogin, log } = this.#options;
    let description: AgentDescription | undefined;
    try {
      description = await agent.describe();
    } catch (error) {
      // History is served all the same; whoever wants a session is told why there is none.
      log?.(`the agent could not be asked what it can: ${toWords(error)}`);
    }
    return toAnnouncement(agent, description, clientCapabilities ?? {}, terminalLogin);
  }
}

function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

/** What a client of ours says of itself in `clientCapabilities._meta.signalbox`. */
interface OurMeta {
  /** It follows the logs of sessions itself. */
  readonly view?: 'log';
  /** Updates are to carry its place in the log. */
  readonly cursors?: boolean;
  /** Bursts of text may come as one update. */
  readonly merge?: boolean;
  /** What it calls itself over all its connections, so that its own prompts stay its own. */
  readonly clientId?: string;
}

function toAnnounced({ client }: AgentConnection, isRemote: boolean): AnnouncedClient {
  const ours = ourMeta({ client });
  return {
    capabilities: client?.clientCapabilities ?? {},
    followsLogs: ours?.view === 'log',
    hasCursors: isRemote || ours?.cursors === true,
    wantsNews: ours !== undefined,
    merges: ours?.merge === true,
  };
}

/** What a client of ours says of itself; all else is what anybody might send. */
function ourMeta({ client }: Pick<AgentConnection, 'client'>): OurMeta | undefined {
  const value = client?.clientCapabilities?._meta?.['signalbox'];
  if (typeof value !== 'object' || value === null) return undefined;
  const { view, cursors, merge, clientId } = value as Record<string, unknown>;
  const isNamed = typeof clientId === 'string' && clientId.length <= CLIENT_ID_LENGTH_MAX;
  return {
    ...(view === 'log' ? { view } : {}),
    ...(cursors === true ? { cursors } : {}),
    ...(merge === true ? { merge } : {}),
    ...(isNamed ? { clientId } : {}),
  };
}

const CLIENT_ID_LENGTH_MAX = 64;
