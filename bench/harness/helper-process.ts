import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A program of `bench/fixtures/` that a contestant talks to over stdio. */
export interface Helper {
  readonly input: Writable;
  readonly output: Readable;
  /** Asks the helper over IPC to work, and resolves with the CPU ms that it took when it is done. */
  run(count: number): Promise<number>;
  /** The CPU ms that the helper has used so far. */
  cpuMs(): Promise<number>;
  stop(): void;
}

/** Starts a helper. Its stdin and stdout are the wire; IPC carries what is not measured. */
export function startHelper(program: string, ...args: string[]): Helper {
  const path = fileURLToPath(new URL(`../fixtures/${program}`, import.meta.url));
  const child = fork(path, args, { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('a helper without pipes');
  return {
    input: stdin,
    output: stdout,
    run: (count) => ask(child, count),
    cpuMs: () => ask(child, 0),
    stop: () => child.kill(),
  };
}

/** The other end, in the helper itself: `work` is called when the contestant calls `run`. */
export function serveHelper(work: (count: number) => unknown): void {
  // Without the contestant nobody needs it, however that has ended.
  process.on('disconnect', () => process.exit());
  process.on('message', (count: number) => {
    const before = count === 0 ? undefined : process.cpuUsage();
    void Promise.resolve(count === 0 ? undefined : work(count)).then(() => {
      const { user, system } = process.cpuUsage(before);
      process.send?.((user + system) / 1000);
    });
  });
}

async function ask(child: ChildProcess, count: number): Promise<number> {
  child.send(count);
  const [cpuMs] = (await once(child, 'message')) as [number];
  return cpuMs;
}
