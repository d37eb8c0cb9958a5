/**
 * Waits for promises, but not longer than until a signal is aborted. One listener serves all waits, so
 * a long stream does not pile up reactions on the signal.
 */
export class AbortGate {
  readonly #signal: AbortSignal;
  #wake: ((outcome: 'aborted') => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort);
  }

  /** The promise's outcome, or `aborted`. One wait at a time. */
  wait<T>(promise: Promise<T>): Promise<T | 'aborted'> {
    return new Promise((resolve, reject) => {
      promise.then(resolve, reject);
      this.#wake = resolve;
      if (this.#signal.aborted) resolve('aborted');
    });
  }

  /** Stops listening to the signal. */
  dispose(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => this.#wake?.('aborted');
}
