import { decodeMessage, type WireMessage } from '../passive/wire-message.ts';
import { Child, type Program } from '../process/child.ts';
import { timed, TIMED_OUT } from '../process/timed.ts';
import { Recorder } from '../trace/recorder.ts';
import type { Trace } from '../trace/trace-entry.ts';

/** The agent did not answer in time. */
export class SilentError extends Error {
  override readonly name = 'SilentError';
}

/** The agent's process ended while an answer was awaited. */
export class EndedError extends Error {
  override readonly name = 'EndedError';
}

interface Waiter {
  readonly fits: (message: WireMessage) => boolean;
  readonly resolve: (message: WireMessage) => void;
}

/** A running agent and every line to and from it. It sends whatever it is told to, legal or not. */
export class Link {
  readonly child: Child;
  readonly #recorder: Recorder;
  readonly #received: WireMessage[] = [];
  readonly #waiters = new Set<Waiter>();
  readonly #onMessage: (message: WireMessage) => void;
  #lines = 0;
  #lastSent: WireMessage | undefined;

  /** @param onMessage told of each line of the agent; must not throw. */
  constructor(program: Program, onMessage: (message: WireMessage) => void) {
    this.#onMessage = onMessage;
    this.child = new Child(program);
    this.#recorder = new Recorder((entry) => {
      const message = decodeMessage(entry, this.#lines++);
      if (entry.dir === 'a2c') this.#take(message);
      else this.#lastSent = message;
    });
    this.child.output.on('data', (chunk: Buffer) => this.#recorder.push('a2c', chunk));
    this.child.output.on('end', () => this.#recorder.end('a2c'));
  }

  get trace(): Trace {
    return this.#recorder.trace;
  }

  /** What the agent has sent so far. */
  get received(): readonly WireMessage[] {
    return this.#received;
  }

  /** The last line that was sent. */
  get lastSent(): WireMessage | undefined {
    return this.#lastSent;
  }

  /** Sends these bytes as they are. */
  write(bytes: string | Uint8Array): Promise<void> {
    const buffer = Buffer.from(bytes);
    this.#recorder.push('c2a', buffer);
    return this.child.write(buffer);
  }

  /**
   * The first message since `from` (a count of received ones) that fits.
   *
   * @throws SilentError when none comes in time; EndedError when the agent ends before.
   */
  async next(
    fits: (message: WireMessage) => boolean,
    { timeoutMs, from = 0, what }: { timeoutMs: number; from?: number; what: string },
  ): Promise<WireMessage> {
    const found = this.#received.slice(from).find(fits);
    if (found !== undefined) return found;
    let waiter: Waiter | undefined;
    const arrival = new Promise<WireMessage>((resolve) => {
      waiter = { fits, resolve };
      this.#waiters.add(waiter);
    });
    const result = await timed(Promise.race([arrival, this.child.exited]), timeoutMs);
    if (waiter !== undefined) this.#waiters.delete(waiter);
    if (result === TIMED_OUT) throw new SilentError(`no ${what} within ${timeoutMs} ms`);
    if ('entry' in result) return result;
    // The last lines may have been read after the exit was known.
    const late = this.#received.slice(from).find(fits);
    if (late !== undefined) return late;
    throw new EndedError(`the agent ended while ${what} was awaited`);
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
