interface Waiter<Outcome> {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** Callers that wait for the outcome of something with a name. Each is told once. */
export class Waiters<Outcome> {
  readonly #waiting = new Map<string, Waiter<Outcome>[]>();

  /** For how many names somebody waits. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Waits for the outcome of `name`. Rejects only when the session ends before there is one. */
  wait(name: string): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const others = this.#waiting.get(name);
      if (others === undefined) this.#waiting.set(name, [{ resolve, reject }]);
      else others.push({ resolve, reject });
    });
  }

  settle(name: string, outcome: Outcome): void {
    for (const { resolve } of this.#take(name)) resolve(outcome);
  }

  settleAll(outcome: Outcome): void {
    for (const name of [...this.#waiting.keys()]) this.settle(name, outcome);
  }

  fail(name: string, error: Error): void {
    for (const { reject } of this.#take(name)) reject(error);
  }

  failAll(error: Error): void {
    for (const name of [...this.#waiting.keys()]) this.fail(name, error);
  }

  #take(name: string): readonly Waiter<Outcome>[] {
    const waiters = this.#waiting.get(name) ?? [];
    this.#waiting.delete(name);
    return waiters;
  }
}
