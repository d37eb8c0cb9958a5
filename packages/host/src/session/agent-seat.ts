import type { Clock, RawJson } from '@signalbox/acp';
import type {
  AgentExit,
  PermissionId,
  PermissionOutcome,
  SessionInput,
  TurnId,
} from '@signalbox/core';
import type { AgentEvents, AgentLink, RunningAgent, SessionHistory } from '../agents/agent-link.ts';
import { isHostError, toWords } from '../host-error.ts';
import { newPermissionId, newTurnId } from './new-id.ts';
import { Waiters } from './waiters.ts';

/** The agent of one session, from no process to its end. */
type Seat =
  /** No process. Left by `start`. */
  | { readonly kind: 'empty' }
  /** Starting; aborting ends it. Left when it is ready or has failed. */
  | {
      readonly kind: 'starting';
      readonly abort: AbortController;
      readonly done: Promise<void>;
      /** The end of what its process has written to stderr so far. */
      lastWords: () => string;
    }
  /** Ready for prompts. Left when the process ends. */
  | { readonly kind: 'running'; readonly agent: RunningAgent }
  /** Being ended by us. Left when the process has ended. */
  | { readonly kind: 'ending'; readonly done: Promise<void> };

/** One process, from before its start. Its exit may come before the news that it is ready. */
interface Life {
  isReady: boolean;
  earlyExit?: AgentExit;
}

/** What the seat needs of its session. */
export interface SeatOwner {
  readonly link: AgentLink;
  readonly clock: Clock;
  post(input: SessionInput): void;
  whenRoom(): Promise<void> | undefined;
  /** Of a session that had an agent before. */
  history(): SessionHistory | undefined;
  /** The agent is ready. */
  onReady(): void;
}

/** Holds a session's agent: starts it once at a time, talks to it, ends it. */
export class AgentSeat {
  readonly #owner: SeatOwner;
  readonly #permissions = new Waiters<PermissionOutcome>();
  #seat: Seat = { kind: 'empty' };
  /** Set when a start is wanted as soon as the process before it has ended. */
  #isStartWanted = false;
  #promptedTurnId: TurnId | undefined;
  #waitingForReady: {
    readonly resolve: (agent: RunningAgent) => void;
    readonly reject: (error: Error) => void;
  }[] = [];
  #lastActivityAt = 0;

  constructor(owner: SeatOwner) {
    this.#owner = owner;
  }

  /** The agent, while it is ready. */
  get agent(): RunningAgent | undefined {
    return this.#seat.kind === 'running' ? this.#seat.agent : undefined;
  }

  /** While an agent is starting, the end of what its process has written to stderr so far. */
  get startingWords(): string | undefined {
    return this.#seat.kind === 'starting' ? this.#seat.lastWords() : undefined;
  }

  /** When the agent last sent anything, or was last sent something, as `Clock.elapsed` says it. */
  get lastActivityAt(): number {
    return this.#lastActivityAt;
  }

  /** Starts the agent unless it runs or is starting; behind the end of the one before it. */
  start(): void {
    switch (this.#seat.kind) {
      case 'empty':
        this.#begin();
        return;
      case 'ending':
        this.#isStartWanted = true;
        return;
      case 'starting':
        // The start under way was given up when its turn was cancelled; this turn needs its own.
        if (this.#seat.abort.signal.aborted) this.#isStartWanted = true;
        return;
      case 'running':
    }
  }

  /**
   * The agent when it is ready; it is started if none runs.
   *
   * @throws HostError with the step that failed.
   */
  whenReady(): Promise<RunningAgent> {
    if (this.#seat.kind === 'running') return Promise.resolve(this.#seat.agent);
    const ready = new Promise<RunningAgent>((resolve, reject) => {
      this.#waitingForReady.push({ resolve, reject });
    });
    this.start();
    return ready;
  }

  /** Sends a prompt. Without a process it is not sent, which the news of the exit tells. */
  prompt(turnId: TurnId, content: RawJson): void {
    if (this.#seat.kind !== 'running') return;
    this.#promptedTurnId = turnId;
    this.#touch();
    void this.#seat.agent.prompt(content).then((answer) => {
      if (answer === undefined) return;
      const nextTurnId = newTurnId();
      this.#post({ kind: 'prompt_answered', turnId, answer, nextTurnId, at: this.#now() });
    });
  }

  cancel(): void {
    if (this.#seat.kind === 'running') this.#seat.agent.cancel();
  }

  answerPermission(permissionId: PermissionId, outcome: PermissionOutcome): void {
    // Until now the agent waited for us; its own time begins with the answer.
    this.#touch();
    this.#permissions.settle(permissionId, outcome);
  }

  /**
   * Ends the agent's process tree, also while it is starting. Resolves, never rejects, when nothing of
   * it is left and its exit was posted.
   */
  async end(): Promise<void> {
    this.#isStartWanted = false;
    const seat = this.#seat;
    if (seat.kind === 'starting') {
      seat.abort.abort();
      await seat.done;
    } else if (seat.kind === 'running') {
      const done = seat.agent.end();
      this.#seat = { kind: 'ending', done };
      await done;
    } else if (seat.kind === 'ending') {
      await seat.done;
    }
  }

  #begin(): void {
    this.#isStartWanted = false;
    this.#touch();
    const abort = new AbortController();
    const done = this.#startAgent(abort.signal);
    this.#seat = { kind: 'starting', abort, done, lastWords: () => '' };
  }

  async #startAgent(signal: AbortSignal): Promise<void> {
    // The seat is marked as starting first. A start that is given up at once starts no process.
    await Promise.resolve();
    const life: Life = { isReady: false };
    let agent: RunningAgent;
    try {
      signal.throwIfAborted();
      agent = await this.#owner.link.start(this.#events(life), signal, this.#owner.history());
      if (signal.aborted) {
        // It became ready in the very moment in which it was given up.
        await agent.end();
        throw new Error('the start was given up');
      }
    } catch (error) {
      this.#seat = { kind: 'empty' };
      if (!signal.aborted) this.#postStartFailed(error);
      this.#settleReady(error instanceof Error ? error : new Error(String(error)));
      this.#startIfWanted();
      return;
    }
    this.#seat = { kind: 'running', agent };
    const { pid, startTime, agentSessionId, restoredBy, initialized, session } = agent;
    const started = { pid, startTime, agentSessionId, restoredBy, initialized, session };
    this.#post({ kind: 'agent_started', started, at: this.#now() });
    for (const update of agent.settingUpdates) {
      this.#post({ kind: 'update', update, by: { kind: 'host' }, at: this.#now() });
    }
    this.#owner.onReady();
    this.#settleReady(agent);
    life.isReady = true;
    if (life.earlyExit !== undefined) this.#onGone(life.earlyExit);
  }

  #settleReady(outcome: RunningAgent | Error): void {
    const waiting = this.#waitingForReady;
    this.#waitingForReady = [];
    for (const { resolve, reject } of waiting) {
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    }
  }

  #postStartFailed(error: unknown): void {
    this.#post({
      kind: 'agent_start_failed',
      message: toWords(error),
      authRequired: isHostError(error, 'auth_required'),
      nextTurnId: newTurnId(),
      at: this.#now(),
    });
  }

  #events(life: Life): AgentEvents {
    return {
      onSpawned: (lastWords) => {
        if (this.#seat.kind === 'starting') this.#seat.lastWords = lastWords;
      },
      onUpdate: (update, problem) => {
        this.#touch();
        const input = { kind: 'update', update, at: this.#now() } as const;
        this.#post(problem === undefined ? input : { ...input, problem });
      },
      onPermission: (request, takenBack) => {
        this.#touch();
        const permissionId = newPermissionId();
        const outcome = this.#permissions.wait(permissionId);
        this.#post({ kind: 'permission_requested', permissionId, ...request, at: this.#now() });
        takenBack?.addEventListener('abort', () => {
          this.#post({ kind: 'permission_taken_back', permissionId, at: this.#now() });
        });
        return outcome;
      },
      onExit: (exit) => {
        if (life.isReady) this.#onGone(exit);
        // Of a start that fails, its failure is told; one that succeeds tells the exit behind it.
        else life.earlyExit = exit;
      },
      readyForMore: () => this.#owner.whenRoom(),
    };
  }

  #onGone(exit: AgentExit): void {
    const isExpected = this.#seat.kind === 'ending';
    const promptedTurnId = this.#promptedTurnId;
    this.#seat = { kind: 'empty' };
    this.#promptedTurnId = undefined;
    this.#post({
      kind: 'agent_exited',
      exit,
      isExpected,
      ...(promptedTurnId === undefined ? {} : { promptedTurnId }),
      nextTurnId: newTurnId(),
      at: this.#now(),
    });
    // Nobody is left to be told; the log says how these requests ended.
    this.#permissions.settleAll({ kind: 'cancelled' });
    this.#startIfWanted();
  }

  #startIfWanted(): void {
    if (this.#isStartWanted && this.#seat.kind === 'empty') this.#begin();
  }

  #post(input: SessionInput): void {
    this.#owner.post(input);
  }

  #now(): number {
    return this.#owner.clock.now();
  }

  #touch(): void {
    this.#lastActivityAt = this.#owner.clock.elapsed();
  }
}
