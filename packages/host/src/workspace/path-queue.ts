/** Runs work on one path after the other, and work on different paths side by side. */
export class PathQueue {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` when all earlier work on this path has ended, well or not. */
  run<T>(path: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(path) ?? Promise.resolve()).then(work);
    const done = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(path, done);
    void done.then(() => {
      if (this.#last.get(path) === done) this.#last.delete(path);
    });
    return result;
  }
}
