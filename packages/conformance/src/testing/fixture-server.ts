import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fixture } from './fixture.ts';

/** A server among the fixtures, as a process of its own. */
export class FixtureServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  /** Starts one and waits until it listens. */
  static async start(
    command: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<FixtureServer> {
    const [program = '', ...args] = command;
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const lines = createInterface({ input: child.stdout });
    const url = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      child.once('exit', () => reject(new Error(`${program} ended before it listened`)));
    });
    return new FixtureServer(url, child);
  }

  /** The fixture server with a fault, in front of the fixture agent without one. */
  static async withFault(
    fault: string,
    store: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<FixtureServer> {
    const agent = [process.execPath, fixture('agent/main.mjs'), 'none'];
    const command = [fixture('server/main.mjs'), fault, ...agent];
    return FixtureServer.start(command, { FIXTURE_STORE: store, ...env });
  }

  /** Ends it and waits for its end. */
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill();
    await ended;
  }
}
