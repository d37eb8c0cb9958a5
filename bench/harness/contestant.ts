import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Sample } from './bench-case.ts';

const PROGRAM = fileURLToPath(new URL('contestant-process.ts', import.meta.url));

/** A contestant in its own process, idle between the rounds. */
export class ContestantProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts the process and waits until the contestant is prepared. */
  static async start(caseUrl: string, index: number): Promise<ContestantProcess> {
    const started = new ContestantProcess(fork(PROGRAM, [caseUrl, String(index)]));
    await started.#message();
    return started;
  }

  /** Runs one round. */
  async run(count: number): Promise<Sample> {
    this.#child.send(count);
    return (await this.#message()) as Sample;
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.disconnect();
    await exit;
  }

  async #message(): Promise<unknown> {
    const abort = new AbortController();
    const exit = once(this.#child, 'exit', { signal: abort.signal }).then(([code]) => {
      throw new Error(`a contestant ended early (${code})`);
    });
    exit.catch(() => undefined);
    try {
      const message = once(this.#child, 'message', { signal: abort.signal });
      const [value] = (await Promise.race([message, exit])) as [unknown];
      return value;
    } finally {
      abort.abort();
    }
  }
}
