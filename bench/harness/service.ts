import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A program of `bench/fixtures/` in a process of its own that is asked things by name over IPC. */
export interface Service {
  /** Asks one thing. @throws Error with what the service says, or when its process has ended. */
  ask<Answer>(what: string, ...args: readonly unknown[]): Promise<Answer>;
  /** The CPU ms that the service has used so far. */
  cpuMs(): Promise<number>;
  /** Ends the service in good order; resolves when its process is gone. */
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

/** What a service does when it is asked, by name. Arguments and answers travel as JSON. */
export type Answers = Readonly<Record<string, (...args: never[]) => unknown>>;

interface Question {
  readonly id: number;
  readonly what: string;
  readonly args: readonly unknown[];
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Node's own flags for services, such as `--cpu-prof`, to see where their time goes. */
const FLAGS = (process.env['SIGNALBOX_BENCH_SERVICE_FLAGS'] ?? '').split(' ').filter(Boolean);

/** Starts a service and waits until it can be asked. */
export async function startService(program: string, ...args: string[]): Promise<Service> {
  const path = fileURLToPath(new URL(`../fixtures/${program}`, import.meta.url));
  const child = fork(path, args, { execArgv: [...process.execArgv, ...FLAGS] });
  const service = new ServiceProcess(child);
  await service.ask('cpuMs');
  return service;
}

class ServiceProcess implements Service {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (answer: Answer) => this.#waiting.get(answer.id)?.(answer));
    child.on('exit', (code) => {
      const error = `a service has ended (${code})`;
      for (const [id, settle] of this.#waiting) settle({ id, error });
    });
  }

  ask<T>(what: string, ...args: readonly unknown[]): Promise<T> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ value, error }) => {
        this.#waiting.delete(id);
        if (error === undefined) resolve(value as T);
        else reject(new Error(`${what}: ${error}`));
      });
      this.#child.send({ id, what, args } satisfies Question);
    });
  }

  cpuMs(): Promise<number> {
    return this.ask('cpuMs');
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.disconnect();
    await exit;
  }

  async kill(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }
}

/**
 * The other end, in the service itself.
 *
 * @param answers what it does when it is asked; `cpuMs` is answered here.
 * @param stop called when nobody asks any more, before the process ends.
 */
export function serve(answers: Answers, stop: () => unknown = () => undefined): void {
  const all = { cpuMs, ...answers } as Readonly<Record<string, (...args: unknown[]) => unknown>>;
  process.on('message', ({ id, what, args }: Question) => {
    const asked = all[what];
    const answered =
      asked === undefined
        ? Promise.reject(new Error('no such question'))
        : Promise.resolve().then(() => asked(...args));
    void answered.then(
      (value) => process.send?.({ id, value } satisfies Answer),
      (error: unknown) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        process.send?.({ id, error: text } satisfies Answer);
      },
    );
  });
  process.on('disconnect', () => {
    void Promise.resolve(stop()).then(() => process.exit());
  });
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
