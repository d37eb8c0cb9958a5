/** Callers that wait for the outcome of something with a name. Each is told once. */
export class Waiters<Outcome> {
  readonly #waiting = new Map<
    string,
    { resolve: (outcome: Outcome) => void; reject: (error: Error) => void }
  >();

  /** How many wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Waits for the outcome of `name`. Rejects only when the session ends before there is one. */
  wait(name: string): Promise<Outcome> {
    return new Promise((resolve, reject) => this.#waiting.set(name, { resolve, reject }));
  }

  settle(name: string, outcome: Outcome): void {
    const waiter = this.#waiting.get(name);
    this.#waiting.delete(name);
    waiter?.resolve(outcome);
  }

  settleAll(outcome: Outcome): void {
    for (const name of [...this.#waiting.keys()]) this.settle(name, outcome);
  }

  fail(name: string, error: Error): void {
    const waiter = this.#waiting.get(name);
    this.#waiting.delete(name);
    waiter?.reject(error);
  }

  failAll(error: Error): void {
    for (const name of [...this.#waiting.keys()]) this.fail(name, error);
  }
}
