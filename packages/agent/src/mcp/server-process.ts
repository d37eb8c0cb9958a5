import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { JSONRPCMessage, ReadBuffer, Transport } from '@modelcontextprotocol/client';
import { HeadTail } from '../process/head-tail.ts';
import { CommandTree } from '../process/process-tree.ts';
import { within } from '../process/within.ts';

/** How to start a server. `env` is its whole environment. */
export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How long a server may take to end, first after the end of its input, then after SIGTERM. */
const END_MS_MAX = 500;
/** How long the rest of the output is waited for, if something else holds it open. */
const DRAIN_MS = 200;
const STDERR_BYTES_MAX = 8 * 1024;
const STDERR_LINE_LENGTH_MAX = 300;

/**
 * An MCP server that runs as a child of the agent and is talked to over its stdin and stdout. The
 * transport of the MCP package leaves the server in the agent's own process group, in which what the
 * server started cannot be found once the server is gone; this one gives it a group and ends it whole.
 */
export class ServerProcess implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: (<T extends JSONRPCMessage>(message: T) => void) | undefined;
  readonly #program: ServerProgram;
  readonly #input: ReadBuffer;
  readonly #stderr = new HeadTail(STDERR_BYTES_MAX);
  #child: ChildProcessWithoutNullStreams | undefined;
  #tree: CommandTree | undefined;
  #ended: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  /** @param input what finds the messages in the output of the server. */
  constructor(program: ServerProgram, input: ReadBuffer) {
    this.#program = program;
    this.#input = input;
  }

  /** Resolves when the program runs, which does not mean that it is ready. */
  start(): Promise<void> {
    const { command, args, env, cwd } = this.#program;
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd, env, detached: true, stdio: 'pipe' });
      child.once('error', reject);
      // A server that ends while it is written to is reported by its end, not by the broken pipe.
      child.stdin.on('error', () => undefined);
      if (child.pid === undefined) return;
      child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
      // Read in any case: a server whose stderr is full would stand still.
      child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
      this.#child = child;
      this.#tree = new CommandTree(child.pid);
      this.#ended = this.#watch(child, this.#tree);
      child.once('spawn', resolve);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.#child?.stdin;
      if (stdin?.writable !== true) throw new Error('the server has ended');
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (!error) resolve();
        // The end of the server, which most often is behind it, says more than the broken pipe.
        else void within(this.#ended, END_MS_MAX).then(() => reject(error));
      });
    });
  }

  /** Ends the server and all that it started, asking first. Takes at most about 1.5 s. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** How the program ended and the last line that it complained with; undefined while it runs. */
  get ending(): string | undefined {
    const { exitCode = null, signalCode = null } = this.#child ?? {};
    if (exitCode === null && signalCode === null) return undefined;
    const how = signalCode === null ? `exit code ${exitCode}` : `ended by ${signalCode}`;
    const line = this.#stderr.read().text.trimEnd().split('\n').at(-1) ?? '';
    return line === '' ? how : `${how}: ${line.slice(0, STDERR_LINE_LENGTH_MAX)}`;
  }

  async #watch(child: ChildProcessWithoutNullStreams, tree: CommandTree): Promise<void> {
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    await new Promise<void>((resolve) => child.once('exit', () => resolve()));
    // What it left behind serves nobody any more, and would hold the output open.
    tree.end();
    await within(closed, DRAIN_MS);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    this.onclose?.();
  }

  async #end(): Promise<void> {
    const [child, tree] = [this.#child, this.#tree];
    if (child === undefined || tree === undefined) return;
    // Once the server is gone, its descendants in other groups can no longer be told from others.
    tree.remember();
    child.stdin.end();
    if (await within(this.#ended, END_MS_MAX)) return;
    if (this.ending === undefined) tree.signal('SIGTERM');
    if (await within(this.#ended, END_MS_MAX)) return;
    if (this.ending === undefined) tree.signal('SIGKILL');
    await within(this.#ended, END_MS_MAX);
  }

  #take(chunk: Buffer): void {
    try {
      this.#input.append(chunk);
    } catch (error) {
      // A message that is too long; where the next one begins is not known.
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#input.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // A line that is no message is skipped, because many servers print some.
        this.onerror?.(error as Error);
      }
    }
  }
}
