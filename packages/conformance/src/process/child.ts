import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { atExit } from './at-exit.ts';

/** The variable by which processes of one check are recognised, wherever they moved to. */
export const MARK_NAME = 'SIGNALBOX_CHECK_MARK';

const STDERR_KEPT_MAX = 16 * 1024;

/** A program to run. */
export interface Program {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Added to the environment of the kit. */
  readonly env: Readonly<Record<string, string>>;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started at all. */
  readonly error?: Error;
}

/** A program under test, its pipes, and everything that it starts. */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #mark = randomUUID();
  #stderr = '';
  #stderrBytes = 0;
  /** Resolves, never rejects, when the process has ended and its output is read. */
  readonly exited: Promise<Exit>;
  #exit: Exit | undefined;
  readonly #forget: () => void;

  constructor({ command, cwd, env }: Program) {
    const [file = '', ...args] = command;
    this.#process = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env, [MARK_NAME]: this.#mark },
      stdio: 'pipe',
      // An own process group can be ended as a whole.
      detached: process.platform !== 'win32',
    });
    this.exited = new Promise((resolve) => {
      this.#process.on('error', (error) => resolve({ code: null, signal: null, error }));
      this.#process.on('close', (code, signal) => resolve({ code, signal }));
    });
    void this.exited.then((exit) => (this.#exit = exit));
    this.#forget = atExit(() => this.#killAll());
    this.#process.stderr.on('data', (chunk: Buffer) => {
      this.#stderrBytes += chunk.length;
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-STDERR_KEPT_MAX);
    });
    // Writing to a program that has ended is part of what is tested.
    this.#process.stdin.on('error', () => undefined);
  }

  /** The program's output, in pieces as they are read. */
  get output(): NodeJS.ReadableStream {
    return this.#process.stdout;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** How it ended; undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#exit;
  }

  /** The last of what it wrote to stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  get stderrBytes(): number {
    return this.#stderrBytes;
  }

  /** Writes to its stdin; resolves when the bytes are handed over. */
  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#process.stdin.write(bytes, () => resolve()));
  }

  endInput(): void {
    this.#process.stdin.end();
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Ends the whole process group at once and waits for the program. */
  async kill(): Promise<Exit> {
    this.#killAll();
    this.#forget();
    return this.exited;
  }

  #killAll(): void {
    killGroup(this.#process.pid);
    for (const pid of this.leftovers()) killProcess(pid);
  }

  /** Processes that were started by the program and are still there. Linux only; else empty. */
  leftovers(): readonly number[] {
    const { pid } = this;
    if (process.platform !== 'linux' || pid === undefined) return [];
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return names.map(Number).filter((other) => other !== pid && isMarked(other, this.#mark));
  }
}

/** Whether a process has the mark in its environment. One that has ended, or is a zombie, has none. */
function isMarked(pid: number, mark: string): boolean {
  try {
    // Most processes on a machine belong to others, which this refuses at once and cheaply.
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark);
  } catch {
    return false;
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') killProcess(pid);
  else killProcess(-pid);
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** What an exit looks like in a report. */
export function describeExit({ code, signal, error }: Exit): string {
  if (error !== undefined) return `could not be started: ${error.message}`;
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}
