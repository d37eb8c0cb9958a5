import { decodeMessage, type WireMessage } from '../passive/wire-message.ts';
import type { Child } from '../process/child.ts';
import { timed, TIMED_OUT } from '../process/timed.ts';
import { Recorder } from '../trace/recorder.ts';
import type { Trace } from '../trace/trace-entry.ts';
import type { WireLog } from '../wire/wire-log.ts';
import type { AgentLine, LineTimeouts } from './agent-line.ts';
import { openLine, type AgentTarget } from './open-line.ts';
import { ProcessLine } from './process-line.ts';
import { SocketLine } from './socket-line.ts';
import { EndedError, RefusedError, SilentError, StartError } from './wait-errors.ts';

interface Waiter {
  readonly fits: (message: WireMessage) => boolean;
  readonly resolve: (message: WireMessage) => void;
}

/** What is waited for, and how long. */
export interface Awaited {
  readonly timeoutMs: number;
  /** A count of received messages; the earlier ones do not count. Default 0. */
  readonly from?: number;
  /** What it is, for the text of an error. */
  readonly what: string;
  /** The id of the request that it answers, as JSON: waiting ends when an endpoint has refused that one. */
  readonly answers?: string;
}

/** A connection to an agent and every message on it. It sends whatever it is told to, legal or not. */
export class Link {
  readonly #line: AgentLine;
  readonly #recorder: Recorder;
  readonly #received: WireMessage[] = [];
  readonly #waiters = new Set<Waiter>();
  readonly #refusals = new Map<string, RefusedError>();
  readonly #onRefused = new Map<string, (error: RefusedError) => void>();
  readonly #onMessage: (message: WireMessage) => void;
  #lines = 0;
  #lastSent: WireMessage | undefined;

  /** @param onMessage told of each message of the agent; must not throw. */
  constructor(
    target: AgentTarget,
    timeouts: LineTimeouts,
    onMessage: (message: WireMessage) => void,
  ) {
    this.#onMessage = onMessage;
    this.#recorder = new Recorder((entry) => {
      const message = decodeMessage(entry, this.#lines++);
      if (entry.dir === 'a2c') this.#take(message);
      else this.#lastSent = message;
    });
    const events = {
      onBytes: (bytes: Uint8Array) => this.#recorder.push('a2c', bytes),
      onEnd: () => this.#recorder.end('a2c'),
      onMessage: (bytes: Uint8Array) => this.#recorder.message('a2c', bytes),
      onRefused: (idText: string, status: number, text: string) =>
        this.#refuse(idText, new RefusedError(status, text)),
    };
    this.#line = openLine(target, events, timeouts);
  }

  get trace(): Trace {
    return this.#recorder.trace;
  }

  /** What crossed the wire around the messages; undefined on stdio. */
  get wire(): WireLog | undefined {
    return this.#line.wire;
  }

  /** The agent's process. @throws TypeError for an agent that the kit did not start. */
  get child(): Child {
    if (this.#line instanceof ProcessLine) return this.#line.child;
    throw new TypeError('an agent behind an endpoint has no process here');
  }

  /** Why the agent's program could not be started; undefined when it could, or when there is none. */
  get startError(): StartError | undefined {
    const error = this.#line instanceof ProcessLine ? this.#line.child.exit?.error : undefined;
    return error && new StartError(`The agent could not be started: ${error.message}`);
  }

  /** The connection's socket. @throws TypeError for another transport. */
  get socket(): SocketLine {
    if (this.#line instanceof SocketLine) return this.#line;
    throw new TypeError('this is no WebSocket');
  }

  /** What the agent has sent so far. */
  get received(): readonly WireMessage[] {
    return this.#received;
  }

  /** The last message that was sent. */
  get lastSent(): WireMessage | undefined {
    return this.#lastSent;
  }

  /** Sends these bytes, which are lines or parts of them, as they are. */
  write(bytes: string | Uint8Array): Promise<void> {
    const buffer = Buffer.from(bytes);
    this.#recorder.push('c2a', buffer);
    return this.#line.write(buffer);
  }

  /** Ends the connection in the ordinary way; false when the agent has not followed in time. */
  end(timeoutMs: number): Promise<boolean> {
    return this.#line.end(timeoutMs);
  }

  /** Ends it at once. */
  stop(): Promise<void> {
    return this.#line.stop();
  }

  /** How the agent or the connection fares, for the text of a finding. */
  condition(): string {
    return this.#line.condition();
  }

  /**
   * The first message since `from` that fits.
   *
   * @throws SilentError when none comes in time; EndedError when the agent ends before; RefusedError when an
   *   endpoint has refused the request that it answers.
   */
  async next(fits: (message: WireMessage) => boolean, awaited: Awaited): Promise<WireMessage> {
    const { timeoutMs, from = 0, what, answers } = awaited;
    const found = this.#received.slice(from).find(fits);
    if (found !== undefined) return found;
    let waiter: Waiter | undefined;
    const arrival = new Promise<WireMessage>((resolve) => {
      waiter = { fits, resolve };
      this.#waiters.add(waiter);
    });
    const outcomes: Promise<WireMessage | RefusedError | void>[] = [arrival, this.#line.ended];
    if (answers !== undefined) outcomes.push(this.#refusalOf(answers));
    const result = await timed(Promise.race(outcomes), timeoutMs);
    if (waiter !== undefined) this.#waiters.delete(waiter);
    if (answers !== undefined) this.#onRefused.delete(answers);
    if (result === TIMED_OUT) throw new SilentError(`no ${what} within ${timeoutMs} ms`);
    if (result instanceof RefusedError) throw result;
    if (result !== undefined) return result;
    // The last messages may have been read after the end was known.
    const late = this.#received.slice(from).find(fits);
    if (late !== undefined) return late;
    throw new EndedError(`${this.#line.name} ended while ${what} was awaited`);
  }

  #refusalOf(idText: string): Promise<RefusedError> {
    const refusal = this.#refusals.get(idText);
    if (refusal !== undefined) return Promise.resolve(refusal);
    return new Promise((resolve) => this.#onRefused.set(idText, resolve));
  }

  #refuse(idText: string, error: RefusedError): void {
    this.#refusals.set(idText, error);
    this.#onRefused.get(idText)?.(error);
  }

  #take(message: WireMessage): void {
    this.#received.push(message);
    for (const waiter of [...this.#waiters]) {
      if (!waiter.fits(message)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(message);
    }
    this.#onMessage(message);
  }
}
