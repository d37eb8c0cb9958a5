/** Reads single keys from a terminal, without waiting for Enter. */
export class Keys {
  readonly #input: NodeJS.ReadStream;
  #onKey: ((key: string) => void) | undefined;
  readonly #onInterrupt: () => void;

  /** @param onInterrupt called for Ctrl-C, which a terminal in this mode does not turn into a signal. */
  constructor(input: NodeJS.ReadStream, onInterrupt: () => void) {
    this.#input = input;
    this.#onInterrupt = onInterrupt;
  }

  /** Resolves with the first key that `accepts` takes; undefined when `signal` aborts. */
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
      this.#start((key) => {
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
    for (const key of bytes.toString('utf8')) {
      if (key === '\u0003') this.#onInterrupt();
      else this.#onKey?.(key);
    }
  };
}
