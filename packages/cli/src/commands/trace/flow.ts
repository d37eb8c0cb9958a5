/**
 * Passes bytes from one stream to another until the first one ends or the second one is gone. No more
 * than one read is held: the next one waits until the other side has room.
 */
export class Flow {
  /** Resolves, never rejects, when nothing will be passed on any more and all of it is handed over. */
  readonly done: Promise<void>;
  readonly #target: NodeJS.WritableStream;
  #isDone = false;
  #isGone = false;
  #isWaitingForRoom = false;
  #reads = 0;

  /** @param onBytes told of the bytes after they were passed on. */
  constructor(
    source: NodeJS.ReadableStream,
    target: NodeJS.WritableStream,
    onBytes: (bytes: Uint8Array) => void,
  ) {
    this.#target = target;
    for (const event of ['error', 'close']) target.on(event, () => (this.#isGone = true));
    this.done = this.#pass(source, onBytes).then(() => {
      this.#isDone = true;
    });
  }

  /**
   * Resolves when the source has ended, or was silent for so long. Time in which the other side does not
   * read does not count, so that a slow reader loses nothing.
   */
  async whenQuiet(silentMs: number): Promise<void> {
    for (;;) {
      const reads = this.#reads;
      await this.#doneWithin(silentMs);
      if (this.#isDone || (this.#reads === reads && !this.#isWaitingForRoom)) return;
    }
  }

  async #pass(source: NodeJS.ReadableStream, onBytes: (bytes: Uint8Array) => void): Promise<void> {
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        this.#reads++;
        // The bytes go first, so that recording them delays nobody.
        const hasRoom = this.#target.write(chunk);
        onBytes(chunk);
        if (!hasRoom) await this.#whenRoom('drain');
        // Leaving the loop closes the source, and its writer learns that nobody reads any more.
        if (this.#isGone) return;
      }
    } catch {
      // The source broke off; what it gave has been passed on.
    }
    if (!this.#isGone) await this.#whenRoom('written');
  }

  /** Resolves when there is room again, or all is written, or never will be. */
  async #whenRoom(until: 'drain' | 'written'): Promise<void> {
    const target = this.#target;
    if (this.#isGone) return;
    this.#isWaitingForRoom = true;
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        for (const event of ['drain', 'error', 'close']) target.off(event, stop);
        resolve();
      };
      for (const event of ['error', 'close']) target.on(event, stop);
      if (until === 'drain') target.on('drain', stop);
      else target.write('', stop);
    });
    this.#isWaitingForRoom = false;
  }

  async #doneWithin(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
    await Promise.race([this.done, timeout]);
    clearTimeout(timer);
  }
}
