import type { RawJson } from '@signalbox/acp';
import type {
  Actor,
  Journal,
  PermissionId,
  Refusal,
  SessionId,
  SessionSettings,
  SessionState,
  StoredEntry,
  TurnId,
} from '@signalbox/core';
import type { AgentLink } from '../agents/agent-link.ts';
import type { Clock } from '../clock/clock.ts';
import { HostError } from '../host-error.ts';
import { AgentSeat } from './agent-seat.ts';
import { followLog } from './attachment.ts';
import { Deadlines } from './deadlines.ts';
import { newAnswerId, newPromptId, newTurnId } from './new-id.ts';
import { SessionActor } from './session-actor.ts';
import { SessionEffects, type PromptOutcome } from './session-effects.ts';
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
  readonly clock: Clock;
  /** How long a turn may go without anything from the agent, in ms. */
  readonly turnIdleMs: number;
  /** The state changed in a way that lists of sessions show. Must not throw. */
  readonly onChanged: (state: SessionState) => void;
}

/** A prompt from a client. */
export interface PromptCommand {
  /** Content blocks, exactly as they go to the agent. */
  readonly content: RawJson;
  readonly by: Actor;
  /** When a turn is running: wait for it (default), or refuse as `session_busy`. */
  readonly whenBusy?: 'queue' | 'refuse';
}

/** One session: takes commands, runs its agent, and lets anybody follow its log. */
export class Session {
  readonly id: SessionId;
  readonly #parts: SessionParts;
  readonly #actor: SessionActor;
  readonly #seat: AgentSeat;
  readonly #deadlines: Deadlines;
  readonly #prompts = new Waiters<PromptOutcome>();
  readonly #answers = new Waiters<Refusal | undefined>();
  /** Why nothing more is taken from clients. */
  #refusal: HostError | undefined;
  #failure: HostError | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.id = parts.sessionId;
    this.#parts = parts;
    const { clock, link, turnIdleMs, onChanged } = parts;
    this.#deadlines = new Deadlines(clock);
    this.#seat = new AgentSeat({
      link,
      clock,
      post: (input) => this.#actor.post(input),
      whenRoom: () => this.#actor.whenRoom(),
    });
    const effects = new SessionEffects({
      seat: this.#seat,
      deadlines: this.#deadlines,
      prompts: this.#prompts,
      answers: this.#answers,
      clock,
      turnIdleMs,
      state: () => this.#actor.state,
      post: (input) => this.#actor.post(input),
      onChanged,
    });
    this.#actor = new SessionActor({
      journal: parts.journal,
      stream: parts.sessionId,
      generation: parts.generation,
      seq: parts.seq,
      state: parts.state,
      settings: parts.settings,
      runEffect: (effect, seq) => effects.run(effect, seq),
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

  /** Why the session has stopped by itself: its log could not be written. It has to be opened anew. */
  get failure(): HostError | undefined {
    return this.#failure;
  }

  /** Whether the session cannot be used any more and has to be opened anew. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Takes effect for what is decided from now on. */
  changeSettings(change: Partial<SessionSettings>): void {
    this.#actor.changeSettings(change);
  }

  /**
   * Runs a prompt and resolves when its turn has ended, however it ended.
   *
   * @throws HostError `session_busy` or `closed`: no turn was started; `journal_failed`: the session
   *   has stopped, and its log tells whether the turn was started.
   */
  async prompt(command: PromptCommand): Promise<PromptOutcome> {
    this.#assertUsable();
    const promptId = newPromptId();
    const outcome = this.#prompts.wait(promptId);
    const { content, by, whenBusy = 'queue' } = command;
    const turnId = newTurnId();
    const at = this.#parts.clock.now();
    this.#actor.post({ kind: 'prompt', promptId, turnId, content, by, whenBusy, at });
    return outcome;
  }

  /** Begins the cancel handshake of the running turn, or of `turnId` only. Safe at any time. */
  cancel(by: Actor, turnId?: TurnId): void {
    const input = { kind: 'cancel', by, at: this.#parts.clock.now() } as const;
    this.#actor.post(turnId === undefined ? input : { ...input, turnId });
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

  /** The log after `afterSeq`, then live until `signal` aborts or the session is closed. */
  follow(afterSeq: number, signal?: AbortSignal): AsyncIterable<readonly StoredEntry[]> {
    return followLog(this.#parts.journal, this.id, this.#actor.tail, afterSeq, signal);
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
    this.#release(closed);
    await this.#actor.stop();
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
