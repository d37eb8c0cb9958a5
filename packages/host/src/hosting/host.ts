import { systemClock, type Clock } from '@signalbox/acp';
import type {
  ContextSnapshot,
  Journal,
  SessionId,
  SessionSettings,
  StoredEntry,
  Transcript,
} from '@signalbox/core';
import type { AgentEntry } from '../agents/agent-entry.ts';
import { agentUnknown } from '../agents/unknown-agent.ts';
import { HostError } from '../host-error.ts';
import { newSessionId } from '../session/new-id.ts';
import type { Session } from '../session/session.ts';
import { assertDirectory } from './assert-directory.ts';
import { createSession } from './create-session.ts';
import { endUnusedAgents } from './end-unused-agents.ts';
import { DEFAULT_SETTINGS, type HostOptions, type HostSettings } from './host-options.ts';
import { KeyedQueue } from './keyed-queue.ts';
import type { OpenedLog } from './open-log.ts';
import type { SessionQuery, SessionSummary } from './session-list.ts';
import { readContext, type ContextRequest } from './read-context.ts';
import type { SessionOutline, StateAt } from './session-snapshot.ts';
import { SessionStore } from './session-store.ts';
import { SessionTranscripts } from './session-transcripts.ts';
import type { SessionSetup } from './session-setup.ts';

/** Runs sessions for clients. Several hosts may share one journal; a session has one owner. */
export class Host {
  readonly #options: HostOptions;
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #settings: HostSettings;
  readonly #store: SessionStore;
  readonly #transcripts: SessionTranscripts;
  /** Sessions that this host runs. */
  readonly #open = new Map<SessionId, Session>();
  /** Opening, closing and deleting one session happen one after the other. */
  readonly #queue = new KeyedQueue<SessionId>();
  /** Login methods by which somebody has signed in, by the agent's name. */
  readonly #signIns = new Map<string, string>();
  /** Looks at sessions that everybody has left, by their id. */
  readonly #releases = new Map<SessionId, () => void>();
  #closing: Promise<void> | undefined;

  private constructor(options: HostOptions) {
    this.#options = options;
    this.#journal = options.journal;
    this.#clock = options.clock ?? systemClock;
    this.#settings = { ...DEFAULT_SETTINGS, ...options.settings };
    this.#store = new SessionStore({
      journal: this.#journal,
      clock: this.#clock,
      settings: this.#settings,
      onProblem: (problem) => options.onProblem?.(problem),
    });
    this.#transcripts = new SessionTranscripts(this.#journal, (sessionId, error) =>
      options.onProblem?.({ kind: 'snapshot_failed', sessionId, error }),
    );
  }

  /**
   * Opens a host. Before it serves anything, turns that dead hosts left under way are recorded as
   * interrupted.
   */
  static async open(options: HostOptions): Promise<Host> {
    const host = new Host(options);
    try {
      await host.#store.recoverOrphans();
    } catch (error) {
      host.#store.close();
      throw error;
    }
    return host;
  }

  /**
   * Makes a session. Its agent starts with the first prompt.
   *
   * @param agent the name of an agent that `findAgent` knows.
   * @param cwd an existing directory, absolute.
   */
  async createSession(request: {
    readonly agent: string;
    readonly cwd: string;
    readonly settings?: Partial<SessionSettings>;
    /** What else the agent is given with its session. */
    readonly setup?: SessionSetup;
  }): Promise<Session> {
    this.#assertOpen();
    const { cwd, settings, setup } = request;
    const entry = this.#agent(request.agent);
    assertDirectory(cwd);
    const sessionId = newSessionId(this.#clock.now());
    return this.#queue.run(sessionId, async () => {
      const log = await this.#store.create(sessionId, entry, cwd, setup);
      return this.#begin(log, sessionId, settings, entry);
    });
  }

  /**
   * Opens a session that exists, or gives the one that is open (B132). What was said in it can be read also when
   * its agent is not known any more or its folder is gone: then the agent does not start, and says why.
   *
   * @param setup replaces what its agents are given; a session that is open keeps what it has.
   * @throws HostError `session_not_found` or `session_in_use`.
   */
  async openSession(
    sessionId: SessionId,
    settings?: Partial<SessionSettings>,
    setup?: SessionSetup,
  ): Promise<Session> {
    this.#assertOpen();
    return this.#queue.run(sessionId, async () => {
      const known = this.#open.get(sessionId);
      if (known !== undefined && !known.hasFailed) return known;
      // What a failed session left of its agent is gone before another agent starts.
      await known?.close();
      this.#open.delete(sessionId);
      if (!(await this.#store.exists(sessionId))) throw notFound(sessionId);
      const log = await this.#store.takeOver(sessionId);
      if (setup !== undefined) await this.#store.setups.put(sessionId, setup);
      const entry = this.#options.findAgent(log.state.agentName);
      return this.#begin(log, sessionId, settings, entry);
    });
  }

  /** How many sessions this host runs. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Sessions of all agents, in the order of their making. */
  async listSessions(query: SessionQuery): Promise<SessionSummary[]> {
    await this.#store.whenListed();
    return this.#store.list.list(query);
  }

  /** The same as a page; `next`, if there are more, is the `after` of the next one. */
  async pageSessions(
    query: SessionQuery,
  ): Promise<{ readonly sessions: readonly SessionSummary[]; readonly next?: SessionId }> {
    const found = await this.listSessions({ ...query, limit: query.limit + 1 });
    const sessions = found.slice(0, query.limit);
    const last = sessions[sessions.length - 1];
    const hasMore = found.length > sessions.length && last !== undefined;
    return hasMore ? { sessions, next: last.sessionId } : { sessions };
  }

  /** Sessions whose id begins with `prefix`. */
  findSessions(prefix: string, limit: number): Promise<SessionSummary[]> {
    return this.listSessions({ prefix, limit });
  }

  /** Somebody has signed in to an agent; undefined: has signed out. */
  noteSignIn(agent: string, methodId: string | undefined): void {
    if (methodId === undefined) this.#signIns.delete(agent);
    else this.#signIns.set(agent, methodId);
  }

  /**
   * A session as people see it, up to the end of its log. Of a long one the oldest entries are left out, as
   * `omitted` says, and the beginnings of long texts, as their `cut` says. Use it at once: it changes with the log.
   */
  readTranscript(sessionId: SessionId): Promise<Transcript> {
    return this.#transcripts.read(sessionId);
  }

  /** The same, and where the log says how the session stands. Use it at once, too. */
  readOutline(sessionId: SessionId): Promise<SessionOutline> {
    return this.#transcripts.readOutline(sessionId);
  }

  /** What another agent would have to be told to go on with a session. */
  readContext(sessionId: SessionId, request: ContextRequest): Promise<ContextSnapshot> {
    return readContext(this.#journal, sessionId, request);
  }

  /** Events of any session's log, also of one that another host runs. */
  async readLog(sessionId: SessionId, afterSeq: number, limit: number): Promise<StoredEntry[]> {
    const recent = this.#open.get(sessionId)?.recent(afterSeq) ?? [];
    // At its end, or too far behind it, the log itself has to be asked.
    if (recent.length > 0) return recent.slice(0, limit);
    return this.#journal.read(sessionId, afterSeq, limit);
  }

  /** Calls `onMoved` when any host appends to the session's log. @returns ends the watch. */
  watchLog(sessionId: SessionId, onMoved: (headSeq: number) => void): () => void {
    return this.#journal.watch(sessionId, onMoved);
  }

  /**
   * Deletes a session and its log for good.
   *
   * @throws HostError `session_not_found` or `session_in_use`.
   */
  async deleteSession(sessionId: SessionId): Promise<void> {
    this.#assertOpen();
    await this.#queue.run(sessionId, async () => {
      await this.#transcripts.forget(sessionId);
      await this.#closeSession(sessionId);
      if (!(await this.#store.exists(sessionId))) throw notFound(sessionId);
      await this.#store.remove(sessionId);
    });
  }

  /** Ends a session's agent and gives the session back; its log stays. */
  async closeSession(sessionId: SessionId): Promise<void> {
    await this.#queue.run(sessionId, () => this.#closeSession(sessionId));
  }

  /** Resolves when no session has a turn under way or waiting, or after `limitMs`. */
  async whenIdle(limitMs: number): Promise<void> {
    const idle = Promise.all([...this.#open.values()].map((session) => session.whenIdle()));
    let stop: (() => void) | undefined;
    const late = new Promise<void>((resolve) => {
      stop = this.#clock.setTimer(limitMs, resolve);
    });
    await Promise.race([idle, late]);
    stop?.();
  }

  /** Closes every session, then the journal. May be called again. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const sessionIds = new Set([...this.#open.keys(), ...this.#queue.keys]);
    await Promise.all([...sessionIds].map((sessionId) => this.closeSession(sessionId)));
    for (const cancel of this.#releases.values()) cancel();
    this.#releases.clear();
    this.#store.close();
    await this.#journal.close();
  }

  /** A session that nobody has open and that does nothing is given back: another process may open it. */
  #releaseLater(sessionId: SessionId): void {
    this.#releases.get(sessionId)?.();
    const cancel = this.#clock.setTimer(this.#settings.releaseAfterMs, () => {
      this.#releases.delete(sessionId);
      this.#release(sessionId).catch((error: unknown) =>
        this.#options.onProblem?.({ kind: 'release_failed', sessionId, error }),
      );
    });
    this.#releases.set(sessionId, cancel);
  }

  #release(sessionId: SessionId): Promise<void> {
    return this.#queue.run(sessionId, async () => {
      // Whoever was just given the session says so first.
      await new Promise((resolve) => setImmediate(resolve));
      const session = this.#open.get(sessionId);
      if (session === undefined || session.users.count > 0) return;
      if (session.isUnused) await this.#closeSession(sessionId);
      else this.#releaseLater(sessionId);
    });
  }

  async #closeSession(sessionId: SessionId): Promise<void> {
    const session = this.#open.get(sessionId);
    if (session === undefined) return;
    await session.close();
    this.#open.delete(sessionId);
    if (session.hasFailed) {
      await this.#transcripts.forget(sessionId);
      // Its log may still say that a turn is running.
      await this.#store.setRight(sessionId);
    } else {
      await this.#transcripts.end(sessionId, placeOf(session));
      await this.#store.giveBack(sessionId, session.state);
    }
  }

  /** Runs a session that is ours; gives it back when that is not possible. */
  async #begin(
    log: OpenedLog,
    sessionId: SessionId,
    settings: Partial<SessionSettings> | undefined,
    entry: AgentEntry | undefined,
  ): Promise<Session> {
    const { agentName } = log.state;
    try {
      const setup = await this.#store.setups.get(sessionId);
      // The host may have been closed while this was under way.
      this.#assertOpen();
      const session: Session = createSession({
        options: this.#options,
        settings: { ...this.#settings, ...settings },
        clock: this.#clock,
        entry,
        sessionId,
        setup,
        log,
        signInMethod: () => this.#signIns.get(agentName),
        readTranscript: () => this.#transcripts.read(sessionId),
        onCommitted: (entries) => this.#transcripts.note(sessionId, placeOf(session), entries),
        onChanged: (state) => this.#store.noteChange(state),
        onLeft: () => this.#releaseLater(sessionId),
        onAtRest: () => endUnusedAgents(this.#open.values(), this.#settings.unusedAgentsMax),
      });
      this.#open.set(sessionId, session);
      this.#transcripts.begin(sessionId, log.snapshotSeq);
      return session;
    } catch (error) {
      await this.#store.giveBack(sessionId, log.state);
      throw error;
    }
  }

  #agent(name: string): AgentEntry {
    const entry = this.#options.findAgent(name);
    if (entry !== undefined) return entry;
    throw agentUnknown(name);
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new HostError('closed', 'The host is closed');
  }
}

function placeOf({ headSeq, state }: Session): StateAt {
  return { seq: headSeq, state };
}

function notFound(sessionId: SessionId): HostError {
  return new HostError('session_not_found', `There is no session ${sessionId}`, {
    hint: 'See "signalbox sessions list".',
  });
}
