import type { NewSessionResponse } from '@signalbox/acp';
import type { AttachOptions, NewSessionOptions } from './client-calls.ts';
import { ClientError } from './client-error.ts';
import { callServer, type Call } from './connection/call.ts';
import type { ConnectionState } from './connection/connection-state.ts';
import type { Connection } from './connection/connection.ts';
import { Lines, type Line, type LinesParts } from './lines.ts';
import { RemoteSession, type ContextSnapshot } from './session/remote-session.ts';
import type { LogFollowerParts } from './session/log-follower.ts';
import { toSessionPage, type SessionPage } from './session-summary.ts';

/** What a {@link SignalboxClient} works with. */
export interface ClientParts extends LinesParts {
  /** The agent of the client's own endpoint; undefined: the server's default. */
  readonly agent: string | undefined;
  /** Has `wake` called when the network may be back. @returns a function that ends that. */
  readonly watchWakeSignals: (wake: () => void) => () => void;
}

/** How a call is made. */
interface CallOptions {
  /** Whether an agent has to answer. */
  readonly isAgents?: boolean;
  /** See {@link Call.mayRepeat}. */
  readonly mayRepeat?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A client of a Signalbox server. It connects at once and comes back by itself for as long as that can
 * help; calls wait for the connection within their time limits.
 */
export class SignalboxClient {
  readonly #parts: ClientParts;
  readonly #lines: Lines;
  readonly #open = new Set<RemoteSession>();
  readonly #stopWatching: () => void;

  /** Use `createClient`. */
  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#lines = new Lines(parts);
    this.#stopWatching = parts.watchWakeSignals(() => this.wake());
    this.#main.start();
  }

  /** Where the connection stands. */
  get state(): ConnectionState {
    return this.#main.state;
  }

  /** Hears of every change of the state. @returns a function that ends that. */
  subscribe(listen: (state: ConnectionState) => void): () => void {
    return this.#main.subscribe(listen);
  }

  /**
   * Resolves when the server answers.
   *
   * @throws ClientError why it never will, or `aborted`.
   */
  async whenOnline(options: { signal?: AbortSignal } = {}): Promise<void> {
    const { signal = new AbortController().signal } = options;
    await this.#main.whenOnline(signal);
  }

  /** Looks at once whether the connection lives, or tries again at once, but not more often than is good. */
  wake(): void {
    this.#lines.wake();
  }

  /** The sessions of the server. */
  readonly sessions = {
    /**
     * A page of the list of sessions, of all agents.
     *
     * @param options.after `next` of the page before. @param options.limit 1 to 500.
     * @param options.order which sessions come first, by their making; the oldest by default.
     * @param options.prefix only sessions whose id begins so.
     */
    list: async (
      options: {
        after?: string;
        limit?: number;
        order?: 'oldest' | 'newest';
        prefix?: string;
        signal?: AbortSignal;
      } = {},
    ): Promise<SessionPage> => {
      const { signal, ...params } = options;
      return toSessionPage(
        await this.#call('_signalbox/session/list', params, { mayRepeat: true, signal }),
      );
    },
  };

  /**
   * Makes a session; `attach` it to work with it.
   *
   * @throws RpcError when the agent does not start or wants a sign-in; ClientError `connection_lost` when
   *   nobody knows whether there is a session now: then look at the list.
   */
  async newSession(options: NewSessionOptions): Promise<NewSessionResponse> {
    const { cwd, agent, mcpServers = [], signal } = options;
    const call = this.#toCall('session/new', { cwd, mcpServers }, { isAgents: true, signal });
    const result = await this.#withAgent(agent, call);
    return withSessionId(result);
  }

  /**
   * Attaches a session: its view, its events, and everything that can be done with it. Closing the client,
   * or the session's object, does not close the session.
   *
   * @throws RpcError when there is no such session or it is not for this client; ClientError
   *   `already_attached`, `timeout` and others.
   */
  async attach(sessionId: string, options: AttachOptions = {}): Promise<RemoteSession> {
    const { dedicated = false, onEvent, signal } = options;
    if (!dedicated && this.#lines.main.router.has(sessionId)) {
      const message = `session ${sessionId} is attached already; use what attach gave, or { dedicated: true }`;
      throw new ClientError('already_attached', message);
    }
    const line = dedicated ? this.#lines.open() : this.#lines.main;
    line.connection.hurry();
    const base = this.#sessionParts(sessionId, line, options);
    const readerParams = { ...base.params, role: 'observer' };
    const session: RemoteSession = new RemoteSession({
      ...base,
      after: options.after,
      onEvent,
      timeouts: this.#parts.limits.calls,
      buffer: this.#parts.limits.events,
      openReader: () => {
        const own = this.#lines.open();
        const parts = { ...this.#sessionParts(sessionId, own, options), params: readerParams };
        return { parts, close: () => this.#lines.close(own) };
      },
      onClosed: async () => {
        this.#open.delete(session);
        if (dedicated) await this.#lines.close(line);
      },
    });
    this.#open.add(session);
    return session.open(signal);
  }

  /** Deletes a session and its log. One that does not exist counts as deleted. */
  async deleteSession(sessionId: string, options: { signal?: AbortSignal } = {}): Promise<void> {
    const { signal } = options;
    await this.#call('session/delete', { sessionId }, { mayRepeat: true, isAgents: true, signal });
  }

  /**
   * Makes a new session whose agent is told what another one has done.
   *
   * @param snapshot from `RemoteSession.contextSnapshot`.
   * @throws as `newSession`.
   */
  async restore(
    snapshot: ContextSnapshot,
    options: { cwd?: string; agent?: string; signal?: AbortSignal } = {},
  ): Promise<{ readonly sessionId: string }> {
    const { signal, ...params } = options;
    const result = await this.#call(
      '_signalbox/session/restore',
      { snapshot, ...params },
      { isAgents: true, signal },
    );
    return withSessionId(result);
  }

  /**
   * Closes everything that this client has open. What runs on the server goes on. Resolves, never rejects,
   * when what was sent before has been written out. May be called again.
   */
  async close(): Promise<void> {
    this.#stopWatching();
    await Promise.all([...this.#open].map((session) => session.close()));
    await this.#lines.closeAll();
  }

  get #main(): Connection {
    return this.#lines.main.connection;
  }

  #sessionParts(
    sessionId: string,
    line: Line,
    options: AttachOptions,
  ): Omit<LogFollowerParts, 'after' | 'hasView' | 'reader'> {
    const { clock, random, log, limits } = this.#parts;
    const { role, merge, inlineBytesMax, viewBounds } = options;
    return {
      ...line,
      sessionId,
      clock,
      random,
      log,
      limits: limits.reconnect,
      timeoutMs: limits.calls.callMs,
      viewBounds,
      params: {
        ...(role === undefined ? {} : { role }),
        ...(merge === true ? { merge } : {}),
        ...(inlineBytesMax === undefined ? {} : { inlineBytesMax }),
      },
    };
  }

  /** Makes a call at the endpoint of an agent: for another agent's over a connection for this call alone. */
  async #withAgent(agent: string | undefined, call: Call): Promise<unknown> {
    if (agent === undefined || agent === this.#parts.agent) return this.#make(call, this.#main);
    const line = this.#lines.open(agent);
    try {
      return await this.#make(call, line.connection);
    } finally {
      await this.#lines.close(line);
    }
  }

  #call(method: string, params: unknown, options: CallOptions): Promise<unknown> {
    return this.#make(this.#toCall(method, params, options), this.#main);
  }

  #toCall(method: string, params: unknown, options: CallOptions): Call {
    const { isAgents = false, mayRepeat = false, signal } = options;
    const { callMs, agentCallMs } = this.#parts.limits.calls;
    return { method, params, timeoutMs: isAgents ? agentCallMs : callMs, mayRepeat, signal };
  }

  async #make(call: Call, connection: Connection): Promise<unknown> {
    // Somebody wants the connection now.
    connection.hurry();
    const { clock } = this.#parts;
    const { result } = await callServer(call, clock, (signal) => connection.whenOnline(signal));
    return result;
  }
}

function withSessionId(result: unknown): { readonly sessionId: string } {
  const { sessionId } = (result ?? {}) as { sessionId?: unknown };
  if (typeof sessionId !== 'string') {
    throw new ClientError('invalid_response', 'the server made a session without saying which');
  }
  return result as { readonly sessionId: string };
}
