import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../fixtures/remote-server.mjs', import.meta.url));

/** Options of tests/fixtures/remote-server.mjs beside the place of its journal. */
export interface ServerProcessOptions {
  /** The agent's program in tests/fixtures/agents. Default `scripted`. */
  readonly agent?: string;
  /** Further options of the server and of the host, as plain JSON. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** How large its heap may become, in MiB. Default: as large as Node thinks right. */
  readonly heapMiB?: number;
}

/** A server in a process of its own, which can be killed and comes back on the same port and journal. */
export class ServerProcess {
  /** Where it keeps its journal, and where sessions may work. */
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-remote-'));
  readonly #options: ServerProcessOptions;
  #child!: ChildProcess;
  #port = 0;
  /** Times that it was started. */
  startCount = 0;

  private constructor(options: ServerProcessOptions) {
    this.#options = options;
  }

  static async start(options: ServerProcessOptions = {}): Promise<ServerProcess> {
    const server = new ServerProcess(options);
    await server.start();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get journalFile(): string {
    return join(this.folder, 'journal.db');
  }

  /** Starts it, again on the port that it had. */
  async start(): Promise<void> {
    const { agent = 'scripted', more = {}, heapMiB } = this.#options;
    const options = { file: this.journalFile, port: this.#port, agent, ...more };
    this.#child = fork(PROGRAM, [JSON.stringify(options)], {
      execArgv: [
        '--conditions=@signalbox/source',
        '--expose-gc',
        ...(heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`]),
      ],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.startCount++;
    const { port } = await this.#nextMessage<{ port: number }>();
    this.#port = port;
  }

  /** Ends it at once, with everything that it has not stored. */
  async kill(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  /** What its memory holds after a collection of garbage. */
  async memory(): Promise<NodeJS.MemoryUsage> {
    this.#child.send({});
    const { stats } = await this.#nextMessage<{ stats: NodeJS.MemoryUsage }>();
    return stats;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await exited;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  #nextMessage<T>(): Promise<T> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const onMessage = (message: unknown): void => {
        child.off('exit', onExit);
        resolve(message as T);
      };
      const onExit = (): void => {
        child.off('message', onMessage);
        reject(new Error('the server has ended'));
      };
      child.once('message', onMessage).once('exit', onExit);
    });
  }
}
