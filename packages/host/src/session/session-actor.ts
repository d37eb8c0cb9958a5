import {
  reduce,
  step,
  toStoredEntry,
  type Effect,
  type Journal,
  type SessionInput,
  type SessionSettings,
  type SessionState,
  type StoredEntry,
  type StreamId,
} from '@signalbox/core';
import { HostError } from '../host-error.ts';
import { HotTail } from './hot-tail.ts';
import { Mailbox } from './mailbox.ts';

/** Where a session's log stands when its actor starts. */
export interface ActorStart {
  readonly journal: Journal;
  readonly stream: StreamId;
  /** The generation under which this actor appends. */
  readonly generation: number;
  readonly seq: number;
  readonly state: SessionState;
  readonly settings: SessionSettings;
  /** Does an effect. Called in order, only after the events of its step are committed. */
  readonly runEffect: (effect: Effect, seq: number) => void;
  /** These are in the log now. Must not throw. */
  readonly onCommitted: (entries: readonly StoredEntry[]) => void;
  /** Something of ours broke or the log is lost to us; the actor has stopped. */
  readonly onFailed: (error: HostError) => void;
}

/**
 * The one writer of a session. It takes inputs in order, lets `step` decide, commits the events, and
 * only then lets anybody see them or acts on them. Everything that waits in the mailbox goes into one
 * commit.
 */
export class SessionActor {
  readonly #start: ActorStart;
  readonly #mailbox = new Mailbox<SessionInput>(weigh);
  readonly tail: HotTail;
  #state: SessionState;
  #seq: number;
  #settings: SessionSettings;
  /** Inputs that were ever posted, and those of them that are dealt with. */
  #postedCount = 0;
  #doneCount = 0;
  #quietWaiters: { readonly at: number; readonly resolve: () => void }[] = [];
  /** Resolves when the actor has stopped. */
  readonly stopped: Promise<void>;

  constructor(start: ActorStart) {
    this.#start = start;
    this.#state = start.state;
    this.#seq = start.seq;
    this.#settings = start.settings;
    this.tail = new HotTail(start.seq);
    this.stopped = this.#run();
  }

  /** The state at the last commit. */
  get state(): SessionState {
    return this.#state;
  }

  get settings(): SessionSettings {
    return this.#settings;
  }

  /** Takes effect for inputs that are decided from now on. */
  changeSettings(change: Partial<SessionSettings>): void {
    this.#settings = { ...this.#settings, ...change };
  }

  post(input: SessionInput): void {
    if (this.#mailbox.post(input)) this.#postedCount++;
  }

  whenRoom(): Promise<void> | undefined {
    return this.#mailbox.whenRoom();
  }

  /** Resolves when all that was posted so far is committed and acted upon, or the actor has stopped. */
  async whenCaughtUp(): Promise<void> {
    const at = this.#postedCount;
    if (this.#doneCount >= at) return;
    const done = new Promise<void>((resolve) => this.#quietWaiters.push({ at, resolve }));
    await Promise.race([done, this.stopped]);
  }

  /** Stops taking inputs. What was decided is committed first. */
  async stop(): Promise<void> {
    this.#mailbox.close();
    await this.stopped;
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        const inputs = await this.#mailbox.takeAll();
        if (inputs === undefined) return;
        await this.#take(inputs);
        this.#done(inputs.length);
      }
    } catch (error) {
      this.#mailbox.close();
      this.#start.onFailed(toFailure(error, this.#start.stream));
    } finally {
      this.tail.close();
    }
  }

  async #take(inputs: readonly SessionInput[]): Promise<void> {
    let state = this.#state;
    let seq = this.#seq;
    const entries: StoredEntry[] = [];
    const effects: { effect: Effect; seq: number }[] = [];
    for (const input of inputs) {
      const decided = step(state, input, this.#settings);
      for (const event of decided.events) {
        state = reduce(state, event);
        entries.push(toStoredEntry(++seq, event));
      }
      for (const effect of decided.effects) effects.push({ effect, seq });
    }
    if (entries.length > 0) {
      const { journal, stream, generation } = this.#start;
      await journal.append(stream, { generation, expectedSeq: this.#seq }, entries);
      this.#state = state;
      this.#seq = seq;
      this.tail.push(entries);
      this.#start.onCommitted(entries);
    }
    for (const { effect, seq: at } of effects) this.#start.runEffect(effect, at);
  }

  #done(count: number): void {
    this.#doneCount += count;
    const isReached = ({ at }: { readonly at: number }): boolean => at <= this.#doneCount;
    const reached = this.#quietWaiters.filter(isReached);
    if (reached.length === 0) return;
    this.#quietWaiters = this.#quietWaiters.filter((waiter) => !isReached(waiter));
    for (const { resolve } of reached) resolve();
  }
}

/** What an agent sends can be large; everything else counts as nothing. */
function weigh(input: SessionInput): number {
  if (input.kind === 'update') return input.update.text.length;
  if (input.kind === 'permission_requested') {
    return input.toolCallRaw.text.length + input.optionsRaw.text.length;
  }
  return 0;
}

function toFailure(error: unknown, stream: string): HostError {
  const why = error instanceof Error ? error.message : String(error);
  return new HostError('journal_failed', `Session ${stream} has stopped: ${why}`, {
    cause: error,
    hint: 'What was acknowledged is stored. Prompt the session again to open it anew.',
  });
}
