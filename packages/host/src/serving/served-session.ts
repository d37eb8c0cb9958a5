import type {
  AgentConnection,
  ClientCapabilities,
  InitializeResponse,
  PromptCapabilities,
  PromptResponse,
  RawJson,
} from '@signalbox/acp';
import type { PromptOutcome } from '../session/session-effects.ts';
import type { Session } from '../session/session.ts';
import { toAttachedClient } from './attached-editor.ts';
import { EventDelivery } from './event-delivery.ts';
import type { History } from './history.ts';
import { PermissionDesk } from './permission-desk.ts';
import { toReplay, toStateUpdates } from './replay.ts';
import { SessionClients } from './session-clients.ts';
import { SessionFeed } from './session-feed.ts';
import { TerminalContent } from './terminal-content.ts';
import { cancelled, ofTurnFailure, toRpcError } from './to-rpc-error.ts';
import { UpdateGate } from './update-gate.ts';

/** What a {@link ServedSession} works with. */
export interface ServedSessionParts {
  readonly session: Session;
  readonly connection: AgentConnection;
  readonly capabilities: ClientCapabilities;
  /** The client, as the log names it. */
  readonly by: { readonly kind: 'client'; readonly name: string };
  /** Whether the client is gone or the connection is being closed. */
  readonly isEnding: () => boolean;
  readonly onAgentStarted: (initialized: RawJson) => void;
  readonly onWithheld: (reason: string) => void;
  readonly log: (line: string) => void;
}

/** One session as one client has it open: its feed, its permission requests, and what it serves. */
export class ServedSession {
  readonly session: Session;
  readonly gate: UpdateGate;
  readonly feed: SessionFeed;
  readonly #parts: ServedSessionParts;
  readonly #clients: SessionClients;
  readonly #terminals: TerminalContent;
  readonly #permissions: PermissionDesk;
  readonly #delivery: EventDelivery;
  readonly #detach: () => void;
  /** What the session's agent said of itself; undefined as long as none has run. */
  #initialized: RawJson | undefined;
  #openingCount = 0;
  /** Prompts of this client that are not answered yet. */
  readonly #prompts = new Set<Promise<unknown>>();
  /** Times that this client has cancelled what runs. */
  #cancelCount = 0;

  constructor(parts: ServedSessionParts) {
    const { session, connection, capabilities, by, log } = parts;
    this.#parts = parts;
    this.session = session;
    this.#clients = SessionClients.of(session);
    this.#clients.attach(this);
    this.#terminals = new TerminalContent((id) => this.#clients.isOthersTerminal(id, this));
    this.gate = new UpdateGate(capabilities);
    const terminals = this.#terminals;
    const { gate } = this;
    const permissions = new PermissionDesk({
      session,
      connection,
      by,
      terminals,
      client: this,
      log,
    });
    this.#permissions = permissions;
    this.#delivery = new EventDelivery({
      ...parts,
      gate,
      permissions,
      terminals,
      onAgentStarted: (initialized) => {
        this.noteAgent(initialized);
        parts.onAgentStarted(initialized);
      },
    });
    this.feed = new SessionFeed({
      session,
      deliver: (stored) => this.#delivery.deliver(stored),
      onFailed: (error) => log(`session ${session.id}: ${String(error)}`),
    });
    this.#detach = session.attachClient(
      toAttachedClient(connection, capabilities, (id) => this.#clients.noteTerminal(id, this)),
    );
    void this.feed.ended.then(() => this.#release());
  }

  /** What the session's agent takes in prompts; undefined as long as nobody knows. */
  get promptCapabilities(): PromptCapabilities | undefined {
    if (this.#initialized === undefined) return undefined;
    const { agentCapabilities } = this.#initialized.value as Partial<InitializeResponse>;
    return agentCapabilities?.promptCapabilities ?? {};
  }

  /** The session's agent has said this of itself. */
  noteAgent(initialized: RawJson | undefined): void {
    this.#initialized = initialized;
  }

  get hasPrompts(): boolean {
    return this.#prompts.size > 0;
  }

  /** Whether another client of this process has the session open too. */
  get hasOthers(): boolean {
    return this.#clients.hasOthers(this);
  }

  /** A session that was just made: everything behind its first event is sent. */
  startNew(): void {
    this.#delivery.toldSeq = this.session.headSeq;
    this.feed.start(1);
  }

  /**
   * Tells the whole session so far, and waits for a slow client. Nothing live is sent meanwhile.
   *
   * @returns begins to send what is live.
   */
  async replay(history: History): Promise<() => void> {
    const begin = this.#open(history);
    await this.#delivery.sendInOrder(toReplay(history, this.#terminals));
    return begin;
  }

  /** Tells nothing of what was. @returns tells how the session stands, and begins to send what is live. */
  resume(history: History): () => void {
    const begin = this.#open(history);
    return () => {
      this.#delivery.sendInOrder(toStateUpdates(history)).then(begin, (error: unknown) => {
        this.#parts.log(`session ${this.session.id}: ${String(error)}`);
        this.end();
      });
    };
  }

  /** Runs a prompt. Answered when every update of its turn has been handed to this client (B32). */
  prompt(content: RawJson, whenBusy: 'queue' | 'refuse'): Promise<PromptResponse> {
    const answer = this.#prompt(content, whenBusy);
    const settled: Promise<unknown> = answer.then(
      () => this.#prompts.delete(settled),
      () => this.#prompts.delete(settled),
    );
    this.#prompts.add(settled);
    return answer;
  }

  /** Resolves when the client has no prompt under way. */
  async whenIdle(): Promise<void> {
    while (this.#prompts.size > 0) await Promise.all(this.#prompts);
  }

  /** Begins the cancel handshake of the session's turn. */
  cancel(): void {
    this.#cancelCount++;
    this.session.cancel(this.#parts.by);
  }

  /** Changes the agent's mode; all other clients are told. */
  setMode(modeId: string): Promise<void> {
    return this.session.setMode(modeId, this.#parts.by);
  }

  /** Changes an option; all other clients are told. @returns the agent's exact answer. */
  async setConfigOption(params: RawJson): Promise<RawJson> {
    return this.gate.admitOptions(await this.session.setConfigOption(params, this.#parts.by));
  }

  /** The client has the session open no more. A turn under way goes on. */
  end(): void {
    this.feed.end();
    this.#release();
  }

  async #prompt(content: RawJson, whenBusy: 'queue' | 'refuse'): Promise<PromptResponse> {
    const { session, feed } = this;
    const cancelCount = this.#cancelCount;
    let outcome: PromptOutcome;
    try {
      outcome = await session.prompt({ content, by: this.#parts.by, whenBusy });
    } catch (error) {
      throw toRpcError(error, session.id);
    }
    await feed.whenPassed(outcome.seq);
    const { end } = outcome;
    if (end.kind === 'failed') throw ofTurnFailure(end, session.id);
    const isByClient = this.#cancelCount > cancelCount;
    // A turn that ends because we do is not one that somebody has cancelled (R-PRM-07, R-CRQ-06).
    if (end.stopReason === 'cancelled' && !isByClient && this.#parts.isEnding()) throw cancelled();
    return { stopReason: end.stopReason };
  }

  /**
   * The client is about to know a history. @returns goes on behind it, unless the client has opened the
   * session once more meanwhile; what waits there for an answer is asked again (B63).
   */
  #open(history: History): () => void {
    const opening = ++this.#openingCount;
    this.noteAgent(history.initialized);
    for (const { type, data } of history.terminals) {
      if (type === 'terminal.started') this.#terminals.onStarted(data);
      else this.#terminals.onExited(data);
    }
    return () => {
      if (opening !== this.#openingCount) return;
      this.#permissions.withdrawAllBut(history.waiting);
      for (const request of history.waiting.values()) this.#permissions.ask(request);
      this.feed.start(history.seq);
    };
  }

  #release(): void {
    this.#permissions.close();
    this.#clients.detach(this);
    this.#detach();
  }
}
