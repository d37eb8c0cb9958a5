import { setTimeout as delay } from 'node:timers/promises';
import {
  withMembers,
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
  type RpcError,
} from '@signalbox/acp';
import {
  decodeEvent,
  type CursorPlace,
  type SessionId,
  type SessionSettings,
} from '@signalbox/core';
import type { ClientRequest } from '../client-services/attached-client.ts';
import { isHostError } from '../host-error.ts';
import type { Host } from '../hosting/host.ts';
import { assertDirectory } from '../hosting/assert-directory.ts';
import { KeyedQueue } from '../hosting/keyed-queue.ts';
import type { SessionSetup } from '../hosting/session-setup.ts';
import type { Session } from '../session/session.ts';
import { AcpView } from './acp-view/acp-view.ts';
import { CURSOR_META } from './acp-view/event-delivery.ts';
import { readHistory } from './acp-view/history.ts';
import { reopen, rewind, type Telling } from './acp-view/reopen.ts';
import { toSessionFacts } from './acp-view/session-facts.ts';
import { readStanding } from './acp-view/standing.ts';
import { afterAnswer } from './after-answer.ts';
import { listPage } from './list-page.ts';
import { LogView } from './log-view/log-view.ts';
import type { TailorOptions } from './log-view/tailor.ts';
import { OpenedSessions, type OpenedSessionsParts } from './opened-sessions.ts';
import { cursorMeta, toPlace } from './places.ts';
import { assertRole, isAtLeast, lesserRole, type Role } from './role.ts';
import type { ServedSession } from './served-session.ts';
import { assertAbsolute, assertSameFolder, toSetup } from './session-setup-params.ts';
import { cancelled, invalidParams, toRpcError, unknownSession } from './to-rpc-error.ts';

/** What {@link ServedSessions} works with. */
export interface ServedSessionsParts extends OpenedSessionsParts {
  readonly host: Host;
  readonly settings: Partial<SessionSettings>;
}

/** A session that a client opens, which exists. */
interface Opening {
  readonly sessionId: string;
  readonly cwd?: string;
  /** The client's place in the log, where it knows one. */
  readonly after: unknown;
  readonly whole: boolean;
}

/** What one client may do with sessions, those that it has open and others. */
export class ServedSessions {
  readonly #parts: ServedSessionsParts;
  readonly #opened: OpenedSessions;
  /** Opening, closing and deleting one session happen one after the other. */
  readonly #queue = new KeyedQueue<string>();

  constructor(parts: ServedSessionsParts) {
    this.#parts = parts;
    this.#opened = new OpenedSessions(parts);
  }

  /** Makes a session and starts its agent; when that fails, nothing is left of it. */
  async create(
    { cwd }: NewSessionRequest,
    context: RequestContext,
    message: RequestMessage,
  ): Promise<RawJson> {
    const { agent } = this.#parts;
    const own = { idText: message.idText, signal: context.signal };
    return this.createIn({ agent: agent.name, cwd, setup: toSetup(message) }, own);
  }

  /** As {@link create}, with an agent and what it is given, because of any request of the client. */
  async createIn(
    request: { readonly agent: string; readonly cwd: string; readonly setup: SessionSetup },
    asked: ClientRequest,
  ): Promise<RawJson> {
    const { host, agent, role, settings, client } = this.#parts;
    assertRole(role, 'driver', 'making a session');
    assertAbsolute(request.cwd);
    const session = await toAnswer(host.createSession({ ...request, settings }));
    const served = client().followsLogs
      ? this.#opened.openLog(session)
      : this.#opened.openAcp(session);
    try {
      const { initialized, session: answer } = await served.start(asked);
      // Nobody would ever hear of the session.
      if (this.#parts.isEnding() || asked.signal.aborted) throw cancelled();
      if (session.state.agentName === agent.name) agent.note(initialized);
      if (served.view instanceof AcpView) {
        served.view.noteTold(session.headSeq);
        afterAnswer(() => served.feed.start(1));
      }
      const members = { sessionId: session.id, ...this.#placeOf(session.id, 1) };
      return served.gate.admitOptions(withMembers(toSessionFacts(answer), members));
    } catch (error) {
      await this.#abandon(served);
      throw asked.signal.aborted ? cancelled() : toRpcError(error);
    }
  }

  /** Tells the whole session from the log, whatever its agent can (R-LOD, B130), or what is new in it. */
  load(params: LoadSessionRequest, message: RequestMessage): Promise<RawJson> {
    const { sessionId, cwd, _meta } = params;
    const opening = { sessionId, cwd, after: _meta?.[CURSOR_META], whole: true };
    return this.#reopen(opening, toSetup(message));
  }

  /** Opens a session without telling what happened in it (R-RSM), or only what is new in it. */
  resume(params: ResumeSessionRequest, message: RequestMessage): Promise<RawJson> {
    const { sessionId, cwd, _meta } = params;
    const { lastReceivedEventId } = params as { readonly lastReceivedEventId?: unknown };
    const after = lastReceivedEventId ?? _meta?.[CURSOR_META];
    return this.#reopen({ sessionId, cwd, after, whole: false }, toSetup(message));
  }

  /**
   * The short form of it, of a client that comes back: the session and the last event that it has seen.
   *
   * @throws the refusal when the params are none of this form.
   */
  resumeShort(message: RequestMessage, refusal: RpcError): Promise<RawJson> {
    const { sessionId, lastReceivedEventId } = (message.params ?? {}) as Record<string, unknown>;
    const isShort = typeof sessionId === 'string' && typeof lastReceivedEventId === 'string';
    if (message.method !== 'session/resume' || !isShort) throw refusal;
    return this.#reopen({ sessionId, after: lastReceivedEventId, whole: false });
  }

  /** The same, as the proposal for durable transports spells it: `stream/resume {sessionId, cursor}`. */
  async resumeStream(message: RequestMessage): Promise<RawJson> {
    const { sessionId, cursor } = (message.params ?? {}) as Record<string, unknown>;
    if (typeof sessionId !== 'string') throw invalidParams('/sessionId must be a string');
    try {
      return await this.#reopen({ sessionId, after: cursor ?? '', whole: false });
    } catch (error) {
      const { data } = toRpcError(error, sessionId);
      const { reason = 'refused' } = (data ?? {}) as { reason?: unknown };
      void this.#parts.connection.notifyOther('stream/resume_failed', {
        sessionId,
        cursor,
        reason,
      });
      throw error;
    }
  }

  /**
   * Opens a session for a client that follows its log itself; nothing is sent yet.
   *
   * @param asked what the client wants to be at most; it is no more than it may be.
   */
  openLog(sessionId: string, asked: Role, tailor: TailorOptions): Promise<ServedSession<LogView>> {
    return this.#queue.run(sessionId, async () => {
      const session = await toAnswer(this.#openSession(sessionId as SessionId), sessionId);
      return this.#opened.openLog(session, lesserRole(asked, this.#parts.role), tailor);
    });
  }

  /** The client does not follow a session any more; what it has under way goes on. */
  detach(sessionId: string): void {
    const served = this.#opened.find(sessionId);
    if (served !== undefined) this.#opened.forget(served);
  }

  /**
   * The client has lost what was sent behind a place.
   *
   * @returns sends it again.
   * @throws RpcError -32602 for a place behind the end of the log: nothing would come for a long time (B160).
   */
  async rewind(sessionId: string, place: CursorPlace): Promise<() => void> {
    const served = this.get(sessionId);
    if (place.seq > served.session.headSeq) {
      throw invalidParams(`the log of session ${sessionId} does not reach as far`, {
        sessionId,
        reason: 'cursor_gap',
      });
    }
    const goOn = (found: () => void): void => {
      this.#opened.noteFound(sessionId);
      found();
      // If it was attached anew meanwhile, it goes on from where that was.
      const now = this.#opened.find(sessionId);
      if (now !== served) now?.feed.release();
    };
    this.#opened.noteLost(sessionId);
    try {
      const found = await rewind(this.#parts.host, served, place);
      return () => goOn(found);
    } catch (error) {
      goOn(() => served.feed.release());
      throw toRpcError(error, sessionId);
    }
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
      const served = this.#opened.find(sessionId);
      if (served === undefined) throw unknownSession(sessionId, 'it is not open');
      if (served.hasOthers || !isAtLeast(served.role, 'driver')) {
        served.withdrawPrompts();
        await served.whenIdle();
      } else {
        await toAnswer(this.#parts.host.closeSession(served.session.id), sessionId);
        await served.whenIdle();
      }
      this.#opened.forget(served);
      return {};
    });
  }

  /** Deletes a session and its log. One that does not exist counts as deleted (R-DEL-03). */
  delete({ sessionId }: DeleteSessionRequest): Promise<Record<string, never>> {
    assertRole(this.#parts.role, 'driver', 'deleting a session');
    return this.#queue.run(sessionId, async () => {
      try {
        await this.#parts.host.deleteSession(sessionId as SessionId);
      } catch (error) {
        if (!isHostError(error, 'session_not_found')) throw toRpcError(error, sessionId);
      }
      const served = this.#opened.find(sessionId);
      await served?.whenIdle();
      if (served !== undefined) this.#opened.forget(served);
      return {};
    });
  }

  /** The session that the client has open under this id. @throws RpcError -32002. */
  get(sessionId: string): ServedSession {
    return this.#opened.get(sessionId);
  }

  /** As {@link get}, without an error: a cancel of something unknown is ignored (R-CAN-09). */
  find(sessionId: string): ServedSession | undefined {
    return this.#opened.find(sessionId);
  }

  /** A session that has stopped by itself, opened anew where the client's place was. */
  async revive(served: ServedSession): Promise<ServedSession> {
    const { id } = served.session;
    return this.#queue.run(id, async () => {
      const known = this.get(id);
      // A client that follows the log itself knows that it has ended, and attaches again.
      if (!known.feed.isOver || known.view instanceof LogView) return known;
      const session = await toAnswer(this.#openSession(id), id);
      const { seq } = known.feed;
      this.#opened.forget(known);
      const revived = this.#opened.openAcp(session);
      revived.feed.start(seq);
      return revived;
    });
  }

  /** The sessions of the client whose last turn wanted a sign-in: their agents may not notice one (B173). */
  async restartSignedOut(): Promise<void> {
    for (const { session } of this.#opened.all) {
      const { turn, lastTurn } = session.state;
      if (turn.kind !== 'idle' || lastTurn?.end.kind !== 'failed') continue;
      if (lastTurn.end.failure === 'auth_required') await session.endAgent();
    }
  }

  /** Resolves when no prompt of the client is under way, or the time is over. */
  async whenIdle(limitMs: number): Promise<void> {
    const late = new AbortController();
    const timer = delay(limitMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#opened.all.map((s) => s.whenIdle())), timer]);
    late.abort();
  }

  /** The client is gone. What runs goes on. */
  end(): void {
    this.#opened.end();
  }

  #reopen(opening: Opening, setup?: SessionSetup): Promise<RawJson> {
    const { sessionId, cwd, after, whole } = opening;
    const id = sessionId as SessionId;
    // A setup says which programs the agent starts, which is not for those who only look on.
    const given = isAtLeast(this.#parts.role, 'driver') ? setup : undefined;
    if (cwd !== undefined) assertAbsolute(cwd);
    const place = after === undefined ? undefined : toPlace(id, after);
    return this.#queue.run(sessionId, async () => {
      const folder = await this.#folderOf(sessionId);
      if (cwd !== undefined) assertSameFolder(cwd, folder, sessionId);
      const session = await toAnswer(this.#openSession(id, given), sessionId);
      const served = this.#opened.openAcp(session);
      // A client that loads what it has open is told all of it once, and live news behind that.
      await served.feed.stop();
      try {
        const { host, log, isEnding } = this.#parts;
        const isWanted = (): boolean => !isEnding() && !served.feed.isOver;
        const telling = await toTelling({ host, session, isWanted }, place, whole);
        const standing = telling.kind === 'all' ? telling.history : telling.standing;
        afterAnswer(await reopen({ host, served, log }, telling));
        const seq = telling.kind === 'behind' ? telling.place.seq : standing.seq;
        const members = {
          ...(place === undefined ? {} : resumedMembers(place, standing.seq)),
          ...this.#placeOf(id, seq),
        };
        return served.gate.admitOptions(withMembers(standing.choices.toResult(), members));
      } catch (error) {
        // Nothing would be sent for it any more, and whoever waits for that would wait for ever.
        this.#opened.forget(served);
        throw toRpcError(error, sessionId);
      }
    });
  }

  /**
   * Where a session works, from its first event: a session that is refused is not opened. To go on with it, as ACP's
   * clients do, takes a folder that is there.
   */
  async #folderOf(sessionId: string): Promise<string> {
    try {
      const [first] = await this.#parts.host.readLog(sessionId as SessionId, 0, 1);
      const created = first && decodeEvent(first.body);
      if (created?.type !== 'session.created') throw unknownSession(sessionId);
      assertDirectory(created.data.cwd);
      return created.data.cwd;
    } catch (error) {
      throw toRpcError(error, sessionId);
    }
  }

  #openSession(sessionId: SessionId, setup?: SessionSetup): Promise<Session> {
    return this.#parts.host.openSession(sessionId, this.#parts.settings, setup);
  }

  /** The client's place in a log, for clients that want to know it. */
  #placeOf(sessionId: SessionId, seq: number): { readonly _meta?: object } {
    return this.#parts.client().hasCursors ? { _meta: cursorMeta(sessionId, seq) } : {};
  }

  async #abandon(served: ServedSession): Promise<void> {
    this.#opened.forget(served);
    try {
      await this.#parts.host.deleteSession(served.session.id);
    } catch (error) {
      this.#parts.log(`session ${served.session.id} could not be deleted: ${String(error)}`);
    }
  }
}

/** A place behind the end is one of a log that has lost its end: everything is told anew. */
async function toTelling(
  {
    host,
    session,
    isWanted,
  }: { readonly host: Host; readonly session: Session; readonly isWanted: () => boolean },
  place: CursorPlace | undefined,
  whole: boolean,
): Promise<Telling> {
  const isAll = place === undefined ? whole : place.seq > session.headSeq;
  if (isAll) return { kind: 'all', history: await readHistory(host, session, isWanted) };
  const standing = await readStanding(host, session);
  return place === undefined ? { kind: 'nothing', standing } : { kind: 'behind', place, standing };
}

/** What a client that comes back with a place is told beside the rest. */
function resumedMembers(place: CursorPlace, headSeq: number): Record<string, unknown> {
  if (place.seq > headSeq) return { status: 'gap', reason: 'future' };
  return { status: 'resumed', missedEvents: headSeq - place.seq };
}

async function toAnswer<T>(work: Promise<T>, sessionId?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toRpcError(error, sessionId);
  }
}
