/** Lets something wait until what it waits for has come about. */
export class Changes {
  readonly #waiters = new Set<() => void>();

  /** Something has changed, and waits look again. */
  changed(): void {
    for (const wake of [...this.#waiters]) wake();
  }

  /** Waits until the condition holds, but not longer than this. @returns whether it holds. */
  async until(isMet: () => boolean, timeoutMs: number): Promise<boolean> {
    if (isMet()) return true;
    return new Promise((resolve) => {
      const finish = (met: boolean): void => {
        this.#waiters.delete(look);
        clearTimeout(timer);
        resolve(met);
      };
      const look = (): void => {
        if (isMet()) finish(true);
      };
      const timer = setTimeout(() => finish(false), timeoutMs);
      this.#waiters.add(look);
    });
  }
}
