/** What is read of a terminal. */
export type KeyInput = Pick<NodeJS.ReadStream, 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'>;

/**
 * How long a question has to be there before a key answers it, in ms. A key that comes sooner was meant for
 * what stood there before: nobody has read the question yet.
 */
export const UNREAD_MS = 300;

/**
 * What a terminal sends for arrows, function keys, Alt with a key, and for what is no key at all. It begins like the key
 * Esc, which comes alone.
 */
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[ -~])/g;

const INTERRUPT = '\u0003';

/** Reads single keys from a terminal, without waiting for Enter. */
export class Keys {
  readonly #input: KeyInput;
  readonly #now: () => number;
  #onKey: ((key: string) => void) | undefined;
  readonly #onInterrupt: () => void;

  /**
   * @param onInterrupt called for Ctrl-C, which a terminal in this mode does not turn into a signal.
   * @param now a time in ms that only grows.
   */
  constructor(input: KeyInput, onInterrupt: () => void, now = () => performance.now()) {
    this.#input = input;
    this.#now = now;
    this.#onInterrupt = onInterrupt;
    // A terminal that was closed brings no more keys; the signal that says so cancels what runs.
    input.on('error', () => undefined);
  }

  /**
   * Resolves with the first key that `accepts` takes, {@link UNREAD_MS} from now or later; undefined when
   * `signal` aborts.
   */
  async read<T>(
    accepts: (key: string) => T | undefined,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    if (signal.aborted) return undefined;
    return new Promise((resolve) => {
      const finish = (value: T | undefined): void => {
        signal.removeEventListener('abort', onAbort);
        this.#stop();
        resolve(value);
      };
      const onAbort = (): void => finish(undefined);
      signal.addEventListener('abort', onAbort, { once: true });
      const readFrom = this.#now() + UNREAD_MS;
      this.#start((key) => {
        if (this.#now() < readFrom) return;
        const value = accepts(key);
        if (value !== undefined) finish(value);
      });
    });
  }

  #start(onKey: (key: string) => void): void {
    this.#onKey = onKey;
    this.#input.setRawMode(true);
    this.#input.on('data', this.#onData);
    this.#input.resume();
  }

  #stop(): void {
    this.#onKey = undefined;
    this.#input.off('data', this.#onData);
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  readonly #onData = (bytes: Buffer): void => {
    const keys = [...bytes.toString('utf8').replace(SEQUENCES, '')];
    for (const key of keys) if (key === INTERRUPT) this.#onInterrupt();
    const [key] = keys;
    // What comes at once was pasted: a letter of it is no answer.
    if (keys.length === 1 && key !== undefined && key !== INTERRUPT) this.#onKey?.(key);
  };
}
