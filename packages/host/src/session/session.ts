import type { Clock, RawJson } from '@signalbox/acp';
import { contentMarkOf } from '@signalbox/core';
import type {
  Actor,
  HostFact,
  Journal,
  PermissionId,
  PromptId,
  Refusal,
  SessionId,
  SessionSettings,
  SessionState,
  StoredEntry,
  Transcript,
  TurnId,
} from '@signalbox/core';
import type { AgentFacts, AgentLink, SessionHistory } from '../agents/agent-link.ts';
import type { AttachedClient, Cause } from '../client-services/attached-client.ts';
import type { SessionServices } from '../client-services/session-services.ts';
import { HostError } from '../host-error.ts';
import { AgentCalls } from './agent-calls.ts';
import { AgentSeat } from './agent-seat.ts';
import { followLog } from './attachment.ts';
import { Deadlines } from './deadlines.ts';
import { Hibernation } from './hibernation.ts';
import { isAtRest } from './is-at-rest.ts';
import { newAnswerId, newPromptId, newTurnId } from './new-id.ts';
import { SessionActor } from './session-actor.ts';
import { createSessionHistory } from './session-history.ts';
import { SessionEffects, type PromptOutcome } from './session-effects.ts';
import { SessionUsers } from './session-users.ts';
import { Waiters } from './waiters.ts';

/** A session's log and what it needs to go on. */
export interface SessionParts {
  readonly sessionId: SessionId;
  readonly journal: Journal;
  readonly generation: number;
  readonly seq: number;
  readonly state: SessionState;
  readonly settings: SessionSettings;
  readonly link: AgentLink;
  /** What the host does for the agent as its client. */
  readonly services: Pick<
    SessionServices,
    'attach' | 'isAsking' | 'startFor' | 'endTurn' | 'close'
  >;
  readonly clock: Clock;
  /** How long a turn may go without anything from the agent, in ms. */
  readonly turnIdleMs: number;
  /** How long an agent that can find its session again may do nothing before it is ended, in ms. */
  readonly hibernateAfterMs: number;
  /** The same for one that cannot, while nobody has the session open, in ms. */
  readonly endUnusedAfterMs: number;
  /** The session as people see it, up to the end of its log; it may be without its oldest parts. */
  readonly readTranscript: () => Promise<Transcript>;
  /** These are in the log now. Must not throw. */
  readonly onCommitted: (entries: readonly StoredEntry[]) => void;
  /** The state changed in a way that lists of sessions show. Must not throw. */
  readonly onChanged: (state: SessionState) => void;
  /** The last of those who had the session open has left it. Must not throw. */
  readonly onLeft: () => void;
  /** The agent may have nothing to do from now on, or nobody to do it for. Must not throw. */
  readonly onAtRest: () => void;
}

/** A prompt from a client. */
export interface PromptCommand {
  /** Content blocks, exactly as they go to the agent. */
  readonly content: RawJson;
  readonly by: Actor;
  /**
   * Names the prompt, in the words of whoever sends it. The same id again joins the prompt it names and
   * runs nothing, also after a restart, for as long as the session remembers it. Default: a new id.
   */
  readonly promptId?: PromptId;
  /** When a turn is running: wait for it (default), or refuse as `session_busy`. */
  readonly whenBusy?: 'queue' | 'refuse';
}

/** One session: takes commands, runs its agent, and lets anybody follow its log. */
export class Session {
  readonly id: SessionId;
  readonly users: SessionUsers;
  /** What clients ask of the agent beside prompts. */
  readonly agentCalls: AgentCalls;
  readonly #parts: SessionParts;
  readonly #actor: SessionActor;
  readonly #seat: AgentSeat;
  readonly #deadlines: Deadlines;
  readonly #prompts = new Waiters<PromptOutcome>();
  readonly #answers = new Waiters<Refusal | undefined>();
  /** Marks of the contents of prompts under way, by id. */
  readonly #sent = new Map<PromptId, string>();
  /** Why nothing more is taken from clients. */
  #refusal: HostError | undefined;
  #failure: HostError | undefined;
  /** As the list of sessions has it. */
  #title: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.id = parts.sessionId;
    this.#parts = parts;
    this.#title = parts.state.title;
    const { clock, link, turnIdleMs } = parts;
    this.users = new SessionUsers(clock, () => {
      parts.onLeft();
      parts.onAtRest();
    });
    this.#deadlines = new Deadlines(clock);
    const hibernation = new Hibernation({
      clock,
      deadlines: this.#deadlines,
      hibernateAfterMs: parts.hibernateAfterMs,
      endUnusedAfterMs: parts.endUnusedAfterMs,
      agent: () => this.#seat.agent,
      lastActivityAt: () => this.#seat.lastActivityAt,
      lastUsedAt: () => this.users.lastAt,
      state: () => this.state,
      endAgent: () => void this.#seat.end(),
    });
    this.#seat = new AgentSeat({
      link,
      clock,
      post: (input) => this.#actor.post(input),
      whenRoom: () => this.#actor.whenRoom(),
      history: () => this.#history(),
      onReady: () => {
        hibernation.watch();
        parts.onAtRest();
      },
    });
    this.agentCalls = new AgentCalls({
      seat: this.#seat,
      assertUsable: () => this.#assertUsable(),
      whenPassedOn: () => this.#actor.whenCaughtUp(),
      postUpdate: (update, by) => this.#actor.post({ kind: 'update', update, by, at: clock.now() }),
    });
    const effects = new SessionEffects({
      seat: this.#seat,
      deadlines: this.#deadlines,
      prompts: this.#prompts,
      answers: this.#answers,
      clock,
      turnIdleMs,
      state: () => this.#actor.state,
      isAsking: () => parts.services.isAsking,
      post: (input) => this.#actor.post(input),
      onCancelled: (turnId) => void parts.services.endTurn(turnId),
      onChanged: (state) => {
        parts.onChanged(state);
        if (isAtRest(state)) parts.onAtRest();
      },
    });
    this.#actor = new SessionActor({
      journal: parts.journal,
      stream: parts.sessionId,
      generation: parts.generation,
      seq: parts.seq,
      state: parts.state,
      settings: parts.settings,
      runEffect: (effect, seq) => effects.run(effect, seq),
      onCommitted: (entries) => {
        parts.onCommitted(entries);
        this.#noteTitle();
      },
      onFailed: (error) => this.#fail(error),
    });
  }

  get state(): SessionState {
    return this.#actor.state;
  }

  /** Sequence number of the last event in the log. */
  get headSeq(): number {
    return this.#actor.tail.headSeq;
  }

  /** The last event that was in the log when this host began to run the session. */
  get firstHeadSeq(): number {
    return this.#parts.seq;
  }

  /** Why the session has stopped by itself: its log could not be written. It has to be opened anew. */
  get failure(): HostError | undefined {
    return this.#failure;
  }

  /** Whether the session cannot be used any more and has to be opened anew. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  get settings(): SessionSettings {
    return this.#actor.settings;
  }

  /** Takes effect for what is decided from now on. */
  changeSettings(change: Partial<SessionSettings>): void {
    this.#actor.changeSettings(change);
  }

  /**
   * Runs a prompt and resolves when its turn has ended, however it ended.
   *
   * @throws HostError `session_busy` or `closed`: no turn was started; `prompt_conflict`: the id names a
   *   prompt with another content; `journal_failed`: the session has stopped, and its log tells whether
   *   the turn was started.
   */
  async prompt(command: PromptCommand): Promise<PromptOutcome> {
    this.#assertUsable();
    const { content, by, whenBusy = 'queue', promptId = newPromptId() } = command;
    this.#assertSamePrompt(promptId, content);
    const outcome = this.#prompts.wait(promptId);
    const turnId = newTurnId();
    const at = this.#parts.clock.now();
    this.#actor.post({ kind: 'prompt', promptId, turnId, content, by, whenBusy, at });
    try {
      return await outcome;
    } finally {
      this.#sent.delete(promptId);
    }
  }

  /** Begins the cancel handshake of the running turn, or of `turnId` only. Safe at any time. */
  cancel(by: Actor, turnId?: TurnId): void {
    const input = { kind: 'cancel', by, at: this.#parts.clock.now() } as const;
    this.#actor.post(turnId === undefined ? input : { ...input, turnId });
  }

  /**
   * Takes a prompt back. While it waits for another one, it alone is dropped; once it runs, this begins the
   * cancel handshake of its turn. Safe at any time.
   */
  withdrawPrompt(promptId: PromptId, by: Actor): void {
    this.#actor.post({ kind: 'withdraw_prompt', promptId, by, at: this.#parts.clock.now() });
  }

  /**
   * Answers a permission request: with an offered option, or without one to deny it.
   *
   * @throws HostError `permission_not_answerable` when it does not wait or does not offer the option.
   */
  async answerPermission(
    permissionId: PermissionId,
    optionId: string | undefined,
    by: Actor,
  ): Promise<void> {
    this.#assertUsable();
    const answerId = newAnswerId();
    const settled = this.#answers.wait(answerId);
    const at = this.#parts.clock.now();
    const input = { kind: 'permission_answered', permissionId, by, answerId, at } as const;
    this.#actor.post(optionId === undefined ? input : { ...input, optionId });
    const refusal = await settled;
    if (refusal === undefined) return;
    const why =
      refusal === 'option_not_offered'
        ? 'does not offer this option'
        : 'is not waiting for an answer any more';
    throw new HostError('permission_not_answerable', `The permission request ${why}`);
  }

  /** Events behind `afterSeq`, if all of them are still in memory; undefined if the log has to be asked. */
  recent(afterSeq: number): readonly StoredEntry[] | undefined {
    return this.#actor.tail.after(afterSeq);
  }

  /** The log after `afterSeq`, then live until `signal` aborts or the session is closed. */
  follow(afterSeq: number, signal?: AbortSignal): AsyncIterable<readonly StoredEntry[]> {
    return followLog(this.#parts.journal, this.id, this.#actor.tail, afterSeq, signal);
  }

  /** Resolves when no turn runs and no prompt waits, or the session is closed. */
  async whenIdle(): Promise<void> {
    const isIdle = (): boolean => this.state.turn.kind === 'idle' && this.state.queue.length === 0;
    if (isIdle()) return;
    for await (const _ of this.follow(this.headSeq)) if (isIdle()) return;
  }

  /**
   * While an agent is starting, the end of what its process has written to stderr so far; undefined
   * otherwise. The first start of one may download for minutes, and says so there at best (B26).
   */
  get startingWords(): string | undefined {
    return this.#seat.startingWords;
  }

  /**
   * Starts the agent if none runs, and resolves when it is ready and its start is in the log.
   *
   * @param cause the client's request because of which the agent is started. What the agent asks meanwhile
   *   is asked for it, and the start is given up when it is aborted.
   * @throws HostError with the step that failed.
   */
  async start(cause?: Cause): Promise<AgentFacts> {
    this.#assertUsable();
    const endCause = cause && this.#parts.services.startFor(cause);
    const giveUp = (): void => void this.endAgent();
    cause?.signal.addEventListener('abort', giveUp, { once: true });
    try {
      cause?.signal.throwIfAborted();
      const { initialized, session } = await this.#seat.whenReady();
      await this.#actor.whenCaughtUp();
      return { initialized, session };
    } finally {
      cause?.signal.removeEventListener('abort', giveUp);
      endCause?.();
    }
  }

  /** Whether nobody has the session open, nothing runs in it, and it has no process. */
  get isUnused(): boolean {
    return this.users.count === 0 && isAtRest(this.state) && this.state.agent.kind === 'absent';
  }

  /**
   * Since when the session's agent runs without anything to do or anybody to do it for, as `Clock.elapsed` says it.
   * Undefined: it is needed, or there is none.
   */
  get unusedAgentSince(): number | undefined {
    const { agent, lastActivityAt } = this.#seat;
    if (agent === undefined || this.users.count > 0 || !isAtRest(this.state)) return undefined;
    return Math.max(lastActivityAt, this.users.lastAt);
  }

  /** Ends an agent that nobody needs, as {@link unusedAgentSince} says. The next prompt starts one. */
  endUnusedAgent(): void {
    if (this.unusedAgentSince !== undefined) void this.#seat.end();
  }

  /**
   * Lets a client serve the agent's requests for files, terminals and elicitation where it announced
   * them; what an agent is told of that is settled when it starts. @returns ends that.
   */
  attachClient(client: AttachedClient): () => void {
    return this.#parts.services.attach(client);
  }

  /** Records something that was done for the agent. */
  record(fact: HostFact): void {
    this.#actor.post({ kind: 'fact', fact, at: this.#parts.clock.now() });
  }

  /** Ends the agent's process tree at once; a turn under way is cancelled. The session stays. */
  async endAgent(): Promise<void> {
    // A turn whose agent is only starting would otherwise wait for it for ever.
    this.cancel(HOST);
    await this.#actor.whenCaughtUp();
    await this.#seat.end();
    await this.#actor.whenCaughtUp();
  }

  /**
   * Ends the agent and stops. A turn under way is cancelled and recorded so, and with it all that wait.
   * Resolves, never rejects, when nothing of the agent is left. May be called again.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const closed = new HostError('closed', `Session ${this.id} is closed`);
    this.#refusal ??= closed;
    // Prompts that waited for a turn which was already being cancelled become turns of their own.
    do await this.endAgent();
    while (!this.hasFailed && this.state.turn.kind === 'running');
    await this.#parts.services.close();
    await this.#actor.whenCaughtUp();
    this.#release(closed);
    await this.#actor.stop();
  }

  #history(): SessionHistory | undefined {
    const { lastAgentSessionId } = this.state;
    if (lastAgentSessionId === undefined) return undefined;
    return createSessionHistory(this.#parts.readTranscript, lastAgentSessionId);
  }

  /** Agents give titles at any time, mostly behind a turn, when nothing else changes (B34). */
  #noteTitle(): void {
    const { state } = this;
    if (state.title === this.#title) return;
    this.#title = state.title;
    this.#parts.onChanged(state);
  }

  /** An id names one content: whoever sends another under it would be told of the first (B154). */
  #assertSamePrompt(promptId: PromptId, content: RawJson): void {
    const mark = contentMarkOf(content);
    const known = this.state.knownPrompts.find((prompt) => prompt.promptId === promptId);
    const before = known?.contentMark ?? this.#sent.get(promptId);
    if (before !== undefined && before !== mark) {
      const message = `Another prompt was sent under the id ${promptId} before`;
      throw new HostError('prompt_conflict', message, { hint: 'Use a new id for a new prompt.' });
    }
    this.#sent.set(promptId, mark);
  }

  #assertUsable(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  /** What is not in the log did not happen: the agent, which may have gone on, is ended. */
  #fail(error: HostError): void {
    this.#failure = error;
    this.#refusal ??= error;
    this.#release(error);
    void this.#seat.end();
  }

  #release(reason: HostError): void {
    this.#deadlines.clearAll();
    this.#prompts.failAll(reason);
    this.#answers.failAll(reason);
  }
}

const HOST: Actor = { kind: 'host' };
