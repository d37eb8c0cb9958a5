import type { AgentConnection, ClientCapabilities, PromptResponse, RawJson } from '@signalbox/acp';
import type { PromptId } from '@signalbox/core';
import type { PromptOutcome } from '../session/session-effects.ts';
import type { AgentFacts } from '../agents/agent-link.ts';
import type { AttachedClient, ClientRequest } from '../client-services/attached-client.ts';
import { newPromptId } from '../session/new-id.ts';
import type { Session } from '../session/session.ts';
import { UpdateGate } from './acp-view/update-gate.ts';
import { toAttachedClient } from './attached-editor.ts';
import { PromptAdmission } from './prompt-admission.ts';
import { isAtLeast, type Role } from './role.ts';
import { SessionClients } from './session-clients.ts';
import { SessionFeed } from './session-feed.ts';
import type { SessionView, ViewEnd } from './session-view.ts';
import { cancelled as requestCancelled, ofTurnFailure, toRpcError } from './to-rpc-error.ts';

/** What a {@link ServedSession} works with. */
export interface ServedSessionParts {
  readonly session: Session;
  readonly connection: AgentConnection;
  readonly capabilities: ClientCapabilities;
  /** The client, as the log names it. */
  readonly by: { readonly kind: 'client'; readonly name: string };
  readonly role: Role;
  /** Whether the client is gone or the connection is being closed. */
  readonly isEnding: () => boolean;
  readonly log: (line: string) => void;
}

/** A prompt of a client. */
export interface ServedPrompt {
  readonly content: RawJson;
  readonly whenBusy: 'queue' | 'refuse';
  /** The client's own name for it, where it gave one. */
  readonly promptId: PromptId | undefined;
  /** Aborted when the client takes it back. */
  readonly withdrawn: AbortSignal;
}

/** One session as one client has it open: what it is told, what it asks for, and what it serves. */
export class ServedSession<View extends SessionView = SessionView> {
  readonly session: Session;
  readonly role: Role;
  readonly gate: UpdateGate;
  readonly view: View;
  readonly feed: SessionFeed;
  readonly #parts: ServedSessionParts;
  readonly #clients: SessionClients;
  /** The client, as it serves the session's agent. */
  readonly #attached: AttachedClient;
  readonly #detach: () => void;
  readonly #leave: () => void;
  readonly #admission: PromptAdmission;
  /** Prompts of this client that are not answered yet. */
  readonly #prompts = new Set<Promise<unknown>>();
  readonly #promptIds = new Set<PromptId>();
  /** Aborted when this client cancels what runs. */
  #cancelling = new AbortController();

  /** @param createView makes what tells the client of the session. */
  constructor(
    parts: ServedSessionParts,
    createView: (self: ServedSession<View>, gate: UpdateGate) => View,
  ) {
    const { session, connection, capabilities, role, log } = parts;
    this.#parts = parts;
    this.session = session;
    this.role = role;
    this.gate = new UpdateGate(capabilities);
    this.#admission = new PromptAdmission(session);
    this.#clients = SessionClients.of(session);
    this.#clients.attach(this);
    this.#leave = session.users.enter();
    this.view = createView(this, this.gate);
    this.feed = new SessionFeed({
      session,
      view: this.view,
      onFailed: (error) => log(`session ${session.id}: ${String(error)}`),
    });
    this.#attached = toAttachedClient(connection, capabilities, (id) =>
      this.#clients.noteTerminal(id, this),
    );
    // Files and terminals of somebody who only looks on are not the agent's to use.
    this.#detach = isAtLeast(role, 'driver')
      ? session.attachClient(this.#attached)
      : () => undefined;
    void this.feed.ended.then((reason) => this.#release(reason));
  }

  /** Aborted when this client cancels what runs the next time. */
  get whenCancelled(): AbortSignal {
    return this.#cancelling.signal;
  }

  /** Whether another client of this process has the session open too. */
  get hasOthers(): boolean {
    return this.#clients.hasOthers(this);
  }

  /** Starts the session's agent because of a request of this client, who is asked what the agent asks. */
  start(request: ClientRequest): Promise<AgentFacts> {
    return this.session.start({ client: this.#attached, ...request });
  }

  /** Runs a prompt. Answered when every event of its turn has been handed to this client (B32). */
  prompt(prompt: ServedPrompt): Promise<PromptResponse> {
    const answer = this.#prompt(prompt);
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
    this.#cancelling.abort();
    this.#cancelling = new AbortController();
    this.session.cancel(this.#parts.by);
  }

  /** Takes back the prompts of this client; what others have under way goes on. */
  withdrawPrompts(): void {
    this.#cancelling.abort();
    this.#cancelling = new AbortController();
    for (const promptId of this.#promptIds) this.session.withdrawPrompt(promptId, this.#parts.by);
  }

  /** Changes the agent's mode; all other clients are told. */
  setMode(modeId: string): Promise<void> {
    return this.session.agentCalls.setMode(modeId, this.#parts.by);
  }

  /** Changes an option; all other clients are told. @returns the agent's exact answer. */
  async setConfigOption(params: RawJson): Promise<RawJson> {
    return this.gate.admitOptions(
      await this.session.agentCalls.setConfigOption(params, this.#parts.by),
    );
  }

  /** Passes a notification on to the agent, if there is one. */
  notifyAgent(method: string, params: RawJson): void {
    const { session } = this;
    session.agentCalls.notify(method, params).catch((error: unknown) => {
      this.#parts.log(`session ${session.id}: ${method} was not passed on: ${String(error)}`);
    });
  }

  /** The client has the session open no more. A turn under way goes on. */
  end(): void {
    this.feed.end();
  }

  async #prompt(prompt: ServedPrompt): Promise<PromptResponse> {
    const { session, feed } = this;
    const { content, whenBusy, promptId = newPromptId(), withdrawn } = prompt;
    const { by } = this.#parts;
    const cancelled = AbortSignal.any([this.#cancelling.signal, withdrawn]);
    withdrawn.addEventListener('abort', () => session.withdrawPrompt(promptId, by));
    this.#promptIds.add(promptId);
    let outcome: PromptOutcome;
    try {
      const admitted = this.#admission.admit(content, cancelled);
      if (admitted !== undefined) await admitted;
      cancelled.throwIfAborted();
      outcome = await session.prompt({ content, by, whenBusy, promptId });
    } catch (error) {
      if (cancelled.aborted && error === cancelled.reason) return { stopReason: 'cancelled' };
      throw toRpcError(error, session.id);
    } finally {
      this.#promptIds.delete(promptId);
    }
    await feed.whenPassed(outcome.seq);
    const { end } = outcome;
    if (end.kind === 'failed') throw ofTurnFailure(end, session.id);
    // A turn that ends because we do is not one that somebody has cancelled (R-PRM-07, R-CRQ-06).
    const isOurs = !cancelled.aborted && this.#parts.isEnding();
    if (end.stopReason === 'cancelled' && isOurs) throw requestCancelled();
    return { stopReason: end.stopReason };
  }

  #release(reason: ViewEnd): void {
    this.view.end(reason);
    this.#clients.detach(this);
    this.#detach();
    this.#leave();
  }
}
