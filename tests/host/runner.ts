import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const RUNNER = fileURLToPath(new URL('../fixtures/host-runner.mjs', import.meta.url));

/** A host in a process of its own, which can be killed. See tests/fixtures/host-runner.mjs. */
export class Runner {
  /** Everything it has printed, which it does only when something was acknowledged. */
  readonly lines: string[] = [];
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #output: Interface;
  readonly #exited: Promise<unknown>;

  constructor(...args: string[]) {
    const command = ['--conditions=@signalbox/source', RUNNER, ...args];
    this.#child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#exited = once(this.#child, 'exit');
    this.#output = createInterface({ input: this.#child.stdout });
    this.#output.on('line', (line) => this.lines.push(line));
  }

  /** Waits for a line that begins like this, or for the runner's end. */
  async untilLine(start: string): Promise<string | undefined> {
    return this.#until(() => this.lines.find((line) => line.startsWith(start)));
  }

  /** Waits until it has printed this many lines, or has ended. */
  async untilLines(count: number): Promise<void> {
    await this.#until(() => (this.lines.length >= count ? this.lines : undefined));
  }

  /** Kills it with SIGKILL. All that it printed is in `lines` afterwards. */
  async kill(): Promise<void> {
    const closed = once(this.#output, 'close');
    this.#child.kill('SIGKILL');
    await Promise.all([this.#exited, closed]);
  }

  async #until<T>(found: () => T | undefined): Promise<T | undefined> {
    let ended = false;
    const end = this.#exited.then(() => {
      ended = true;
    });
    for (;;) {
      const result = found();
      if (result !== undefined || ended) return result;
      await Promise.race([once(this.#output, 'line'), end]);
    }
  }
}
