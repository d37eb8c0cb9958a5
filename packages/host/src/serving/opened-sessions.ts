import type { AgentConnection, ClientCapabilities, RawJson } from '@signalbox/acp';
import type { Session } from '../session/session.ts';
import { AcpView } from './acp-view/acp-view.ts';
import type { UpdateGate } from './acp-view/update-gate.ts';
import { LogView } from './log-view/log-view.ts';
import { createTailor, type TailorOptions } from './log-view/tailor.ts';
import { isAtLeast, type Role } from './role.ts';
import type { ServedAgent } from './served-agent.ts';
import { ServedSession, type ServedSessionParts } from './served-session.ts';
import { SessionClients } from './session-clients.ts';
import type { SessionView } from './session-view.ts';
import { unknownSession } from './to-rpc-error.ts';

/** What {@link OpenedSessions} works with. */
export interface OpenedSessionsParts {
  readonly agent: ServedAgent;
  readonly connection: AgentConnection;
  /** The most that the client may do. */
  readonly role: Role;
  /** What the client announced. Asked for each session, since it is known after the handshake only. */
  readonly client: () => AnnouncedClient;
  /** The client, as the log names it. */
  readonly by: () => { readonly kind: 'client'; readonly name: string };
  /** Whether the client is gone or the connection is being closed. */
  readonly isEnding: () => boolean;
  readonly onWithheld: (sessionId: string, reason: string) => void;
  readonly log: (line: string) => void;
}

/** A client as it has announced itself. */
export interface AnnouncedClient {
  readonly capabilities: ClientCapabilities;
  /** It follows logs itself, so a session that it makes is not told as ACP updates. */
  readonly followsLogs: boolean;
  /** Updates carry its place in the log. */
  readonly hasCursors: boolean;
  /** It understands our own notifications. */
  readonly wantsNews: boolean;
  /** Bursts of text may come as one update. */
  readonly merges: boolean;
}

/** The sessions that one client has open, each as it wants to be told of it. */
export class OpenedSessions {
  readonly #parts: OpenedSessionsParts;
  readonly #open = new Map<string, ServedSession>();
  /** Sessions whose streams are lost. */
  readonly #lost = new Set<string>();
  #isOver = false;

  constructor(parts: OpenedSessionsParts) {
    this.#parts = parts;
  }

  /** All of them. */
  get all(): readonly ServedSession[] {
    return [...this.#open.values()];
  }

  /** @throws RpcError -32002 when the client does not have it open. */
  get(sessionId: string): ServedSession {
    const served = this.#open.get(sessionId);
    if (served !== undefined) return served;
    throw unknownSession(sessionId, 'load or resume it first');
  }

  find(sessionId: string): ServedSession | undefined {
    return this.#open.get(sessionId);
  }

  /** Opens a session, told as ACP does. One that is open so already stays as it is. */
  openAcp(session: Session): ServedSession<AcpView> {
    const known = this.#open.get(session.id);
    const isSame = known?.session === session && !known.feed.isOver;
    if (isSame && known.view instanceof AcpView) return known as ServedSession<AcpView>;
    const { connection, agent, role, client, by, onWithheld, log } = this.#parts;
    const { hasCursors, wantsNews, merges } = client();
    return this.#serve(session, role, (self, gate) => {
      const onAgentStarted = (initialized: RawJson): void => {
        if (session.state.agentName === agent.name) agent.note(initialized);
      };
      return new AcpView({
        session,
        connection,
        gate,
        by: by(),
        role,
        client: self,
        hasCursors,
        wantsNews,
        merges,
        onAgentStarted,
        onWithheld: (reason) => onWithheld(session.id, reason),
        log,
      });
    });
  }

  /** Opens a session, told by the events of its log. */
  openLog(
    session: Session,
    role: Role = this.#parts.role,
    tailor: TailorOptions = { merge: false, inlineBytesMax: undefined },
  ): ServedSession<LogView> {
    const { connection, log } = this.#parts;
    const isPlain = !tailor.merge && tailor.inlineBytesMax === undefined;
    return this.#serve(session, role, (self) => {
      if (isAtLeast(role, 'approver')) SessionClients.of(session).mayAnswer(self);
      return new LogView({
        session,
        connection,
        tailor: isPlain ? undefined : createTailor(session.id, tailor),
        log,
      });
    });
  }

  /** The client has it open no more; what it has under way goes on. */
  forget(served: ServedSession): void {
    served.end();
    const { id } = served.session;
    if (this.#open.get(id) === served) this.#open.delete(id);
  }

  /** The stream of a session is lost: until it is found again nothing is sent for it. */
  noteLost(sessionId: string): void {
    this.#lost.add(sessionId);
  }

  noteFound(sessionId: string): void {
    this.#lost.delete(sessionId);
  }

  /** The client is gone. */
  end(): void {
    this.#isOver = true;
    for (const served of this.#open.values()) served.end();
    this.#open.clear();
  }

  #serve<View extends SessionView>(
    session: Session,
    role: Role,
    createView: (self: ServedSession<View>, gate: UpdateGate) => View,
  ): ServedSession<View> {
    this.#open.get(session.id)?.end();
    const { connection, client, by, isEnding, log } = this.#parts;
    const parts: ServedSessionParts = {
      session,
      connection,
      capabilities: client().capabilities,
      by: by(),
      role,
      isEnding,
      log,
    };
    const served = new ServedSession(parts, createView);
    if (this.#lost.has(session.id)) void served.feed.hold();
    if (this.#isOver) served.end();
    else this.#open.set(session.id, served);
    return served;
  }
}
