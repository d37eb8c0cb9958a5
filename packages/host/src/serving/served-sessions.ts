import { setTimeout as delay } from 'node:timers/promises';
import {
  withMembers,
  type AgentConnection,
  type ClientCapabilities,
  type CloseSessionRequest,
  type DeleteSessionRequest,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type NewSessionRequest,
  type RawJson,
  type RequestContext,
  type RequestMessage,
  type ResumeSessionRequest,
} from '@signalbox/acp';
import { decodeEvent, type SessionId, type SessionSettings } from '@signalbox/core';
import { isHostError } from '../host-error.ts';
import type { Host } from '../hosting/host.ts';
import { KeyedQueue } from '../hosting/keyed-queue.ts';
import type { Session } from '../session/session.ts';
import { afterAnswer } from './after-answer.ts';
import { readHistory, type History } from './history.ts';
import { listPage } from './list-page.ts';
import type { ServedAgent } from './served-agent.ts';
import { ServedSession } from './served-session.ts';
import { toSessionFacts } from './session-facts.ts';
import type { SessionSetup } from '../hosting/session-setup.ts';
import { assertAbsolute, assertSameFolder, toSetup } from './session-setup-params.ts';
import { cancelled, toRpcError, unknownSession } from './to-rpc-error.ts';

/** What {@link ServedSessions} works with. */
export interface ServedSessionsParts {
  readonly host: Host;
  readonly agent: ServedAgent;
  readonly connection: AgentConnection;
  readonly settings: Partial<SessionSettings>;
  /** What the client announced. Asked for each session, since it is known after the handshake only. */
  readonly capabilities: () => ClientCapabilities;
  /** The client, as the log names it. */
  readonly by: () => { readonly kind: 'client'; readonly name: string };
  /** Whether the client is gone or the connection is being closed. */
  readonly isEnding: () => boolean;
  readonly onWithheld: (sessionId: string, reason: string) => void;
  readonly log: (line: string) => void;
}

/** The sessions that one client has open, and what it may do with those that it has not. */
export class ServedSessions {
  readonly #parts: ServedSessionsParts;
  readonly #open = new Map<string, ServedSession>();
  /** Opening, closing and deleting one session happen one after the other. */
  readonly #queue = new KeyedQueue<string>();
  #isOver = false;

  constructor(parts: ServedSessionsParts) {
    this.#parts = parts;
  }

  /** Makes a session and starts its agent; when that fails, nothing is left of it. */
  async create(
    { cwd }: NewSessionRequest,
    context: RequestContext,
    message: RequestMessage,
  ): Promise<RawJson> {
    assertAbsolute(cwd);
    const { host, agent, settings } = this.#parts;
    const setup = toSetup(message);
    const session = await toAnswer(host.createSession({ agent: agent.name, cwd, settings, setup }));
    const served = this.#serve(session);
    try {
      const { initialized, session: answer } = await session.start();
      // Nobody would ever hear of the session.
      if (this.#parts.isEnding() || context.signal.aborted) throw cancelled();
      agent.note(initialized);
      served.noteAgent(initialized);
      afterAnswer(() => served.startNew());
      return served.gate.admitOptions(
        withMembers(toSessionFacts(answer), { sessionId: session.id }),
      );
    } catch (error) {
      await this.#abandon(served);
      throw toRpcError(error);
    }
  }

  /** Tells the whole session from the log, whatever its agent can (R-LOD, B130). */
  load(params: LoadSessionRequest, message: RequestMessage): Promise<RawJson> {
    return this.#reopen(params, message, async (served, history) => {
      afterAnswer(await served.replay(history));
    });
  }

  /** Opens a session without telling what happened in it (R-RSM). */
  resume(params: ResumeSessionRequest, message: RequestMessage): Promise<RawJson> {
    return this.#reopen(params, message, (served, history) => {
      afterAnswer(served.resume(history));
      return Promise.resolve();
    });
  }

  list(params: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { host, agent } = this.#parts;
    return toAnswer(listPage(host, agent.name, params));
  }

  /**
   * The client is done with the session for now: what it has under way is cancelled, and the agent ends
   * unless another client has the session open (R-CLS). The log stays.
   */
  close({ sessionId }: CloseSessionRequest): Promise<Record<string, never>> {
    return this.#queue.run(sessionId, async () => {
      const served = this.#open.get(sessionId);
      if (served === undefined) throw unknownSession(sessionId, 'it is not open');
      if (served.hasOthers) {
        if (served.hasPrompts) served.cancel();
        await served.whenIdle();
      } else {
        await toAnswer(this.#parts.host.closeSession(served.session.id), sessionId);
        await served.whenIdle();
      }
      this.#forget(served);
      return {};
    });
  }

  /** Deletes a session and its log. One that does not exist counts as deleted (R-DEL-03). */
  delete({ sessionId }: DeleteSessionRequest): Promise<Record<string, never>> {
    return this.#queue.run(sessionId, async () => {
      try {
        await this.#parts.host.deleteSession(sessionId as SessionId);
      } catch (error) {
        if (!isHostError(error, 'session_not_found')) throw toRpcError(error, sessionId);
      }
      const served = this.#open.get(sessionId);
      await served?.whenIdle();
      if (served !== undefined) this.#forget(served);
      return {};
    });
  }

  /** The session that the client has open under this id. @throws RpcError -32002. */
  get(sessionId: string): ServedSession {
    const served = this.#open.get(sessionId);
    if (served !== undefined) return served;
    throw unknownSession(sessionId, 'load or resume it first');
  }

  /** As {@link get}, without an error: a cancel of something unknown is ignored (R-CAN-09). */
  find(sessionId: string): ServedSession | undefined {
    return this.#open.get(sessionId);
  }

  /** A session that has stopped by itself, opened anew where the client's place was. */
  async revive(served: ServedSession): Promise<ServedSession> {
    const { id } = served.session;
    return this.#queue.run(id, async () => {
      const known = this.get(id);
      if (!known.feed.isOver) return known;
      const session = await toAnswer(this.#openSession(id), id);
      const { seq } = known.feed;
      this.#forget(known);
      const revived = this.#serve(session);
      revived.feed.start(seq);
      return revived;
    });
  }

  /** The sessions of the client whose last turn wanted a sign-in: their agents may not notice one (B173). */
  async restartSignedOut(): Promise<void> {
    for (const { session } of this.#open.values()) {
      const { turn, lastTurn } = session.state;
      if (turn.kind !== 'idle' || lastTurn?.end.kind !== 'failed') continue;
      if (lastTurn.end.failure === 'auth_required') await session.endAgent();
    }
  }

  /** Resolves when no prompt of the client is under way, or the time is over. */
  async whenIdle(limitMs: number): Promise<void> {
    const late = new AbortController();
    const timer = delay(limitMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([Promise.all([...this.#open.values()].map((s) => s.whenIdle())), timer]);
    late.abort();
  }

  /** The client is gone. What runs goes on. */
  end(): void {
    this.#isOver = true;
    for (const served of this.#open.values()) served.end();
    this.#open.clear();
  }

  #reopen(
    params: LoadSessionRequest | ResumeSessionRequest,
    message: RequestMessage,
    tell: (served: ServedSession, history: History) => Promise<void>,
  ): Promise<RawJson> {
    const { sessionId, cwd } = params;
    assertAbsolute(cwd);
    const setup = toSetup(message);
    return this.#queue.run(sessionId, async () => {
      assertSameFolder(cwd, await this.#folderOf(sessionId), sessionId);
      const session = await toAnswer(this.#openSession(sessionId as SessionId, setup), sessionId);
      const served = this.#serve(session);
      // A client that loads what it has open is told all of it once, and live news behind that.
      await served.feed.stop();
      try {
        const history = await readHistory(this.#parts.host, session);
        await tell(served, history);
        return served.gate.admitOptions(history.choices.toResult());
      } catch (error) {
        // Nothing would be sent for it any more, and whoever waits for that would wait for ever.
        this.#forget(served);
        throw toRpcError(error, sessionId);
      }
    });
  }

  /** Where a session works, from its first event: a session that is refused is not opened. */
  async #folderOf(sessionId: string): Promise<string> {
    const { host } = this.#parts;
    const [first] = await toAnswer(host.readLog(sessionId as SessionId, 0, 1), sessionId);
    const created = first && decodeEvent(first.body);
    if (created?.type !== 'session.created') throw unknownSession(sessionId);
    return created.data.cwd;
  }

  #openSession(sessionId: SessionId, setup?: SessionSetup): Promise<Session> {
    return this.#parts.host.openSession(sessionId, this.#parts.settings, setup);
  }

  /** The session as this client has it open. */
  #serve(session: Session): ServedSession {
    const known = this.#open.get(session.id);
    if (known !== undefined && known.session === session && !known.feed.isOver) return known;
    known?.end();
    const { connection, agent, capabilities, by, isEnding, onWithheld, log } = this.#parts;
    const served = new ServedSession({
      session,
      connection,
      capabilities: capabilities(),
      by: by(),
      log,
      isEnding,
      onWithheld: (reason) => onWithheld(session.id, reason),
      onAgentStarted: (initialized) => {
        if (session.state.agentName === agent.name) agent.note(initialized);
      },
    });
    if (this.#isOver) served.end();
    else this.#open.set(session.id, served);
    return served;
  }

  #forget(served: ServedSession): void {
    served.end();
    const { id } = served.session;
    if (this.#open.get(id) === served) this.#open.delete(id);
  }

  async #abandon(served: ServedSession): Promise<void> {
    this.#forget(served);
    try {
      await this.#parts.host.deleteSession(served.session.id);
    } catch (error) {
      this.#parts.log(`session ${served.session.id} could not be deleted: ${String(error)}`);
    }
  }
}

async function toAnswer<T>(work: Promise<T>, sessionId?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toRpcError(error, sessionId);
  }
}
