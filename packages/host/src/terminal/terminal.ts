import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { TerminalOutputResponse } from '@signalbox/acp';
import { isGroupAlive } from '../agents/process-identity.ts';
import { signalGroup } from '../agents/process-tree.ts';
import { whenAllRead } from '../agents/when-all-read.ts';
import { OutputBuffer } from './output-buffer.ts';
import {
  startCommand,
  type CommandStart,
  type RunningCommand,
  type TerminalExit,
} from './start-command.ts';
import { sweepTerminals } from './sweep-terminals.ts';

/** Waits of a terminal, in ms. */
export interface TerminalLimits {
  /** From SIGTERM until SIGKILL. Default 2000. */
  readonly killGraceMs: number;
  /** From the command's end until its exit is told, while somebody else keeps writing. Default 1000. */
  readonly drainMs: number;
}

export const DEFAULT_TERMINAL_LIMITS: TerminalLimits = { killGraceMs: 2000, drainMs: 1000 };

/** What a new terminal is for. */
export interface TerminalStart extends CommandStart {
  readonly id: string;
  /** How much output is kept. */
  readonly outputBytesMax: number;
  readonly limits?: TerminalLimits | undefined;
  /** Told that there is more output, or that it is complete. */
  readonly onOutput?: (() => void) | undefined;
}

/** How often to look whether a process group has ended: the system does not tell. */
const LOOK_MS = 20;
/** A process that even SIGKILL does not end, because the system holds it, is not waited for. */
const UNKILLABLE_MS = 2000;

/** A command with the end of its output. */
export class Terminal {
  readonly id: string;
  /**
   * Resolves, never rejects, soon after the command has ended and what it wrote is read. Processes that
   * it left behind may still write; that is added to the output.
   */
  readonly exited: Promise<TerminalExit>;
  readonly #pid: number;
  readonly #stream: Socket;
  readonly #buffer: OutputBuffer;
  readonly #limits: TerminalLimits;
  readonly #ended: Promise<TerminalExit>;
  #exit: TerminalExit | undefined;
  #isStreamOver = false;
  /** Once a group is gone, its number may be given to somebody else. */
  #isGroupGone = false;
  #stopping: Promise<void> | undefined;

  private constructor(start: TerminalStart, { pid, ended, output }: RunningCommand) {
    this.id = start.id;
    this.#pid = pid;
    this.#stream = output;
    this.#buffer = new OutputBuffer(start.outputBytesMax);
    this.#limits = start.limits ?? DEFAULT_TERMINAL_LIMITS;
    const streamOver = this.#readOutput(start.onOutput);
    this.#ended = ended;
    this.exited = this.#watchExit(streamOver);
  }

  /**
   * Starts a command.
   *
   * @throws RpcError when it cannot be started, FileProblem when its directory has changed.
   */
  static async start(start: TerminalStart): Promise<Terminal> {
    return new Terminal(start, await startCommand(start));
  }

  /** How the command ended; undefined until {@link exited} resolves. */
  get exit(): TerminalExit | undefined {
    return this.#exit;
  }

  /** How many bytes the command has written so far. */
  get outputBytes(): number {
    return this.#buffer.totalBytes;
  }

  /** Everything that is kept, as `terminal/output` tells it. */
  output(): TerminalOutputResponse {
    const exitStatus = this.#exit;
    return {
      output: this.#buffer.text(this.#isStreamOver),
      truncated: this.#buffer.isTruncated,
      ...(exitStatus === undefined ? {} : { exitStatus: { ...exitStatus } }),
    };
  }

  /**
   * Ends the command and everything it started: SIGTERM to its process group, SIGKILL after the grace,
   * then whatever left the group. Resolves when that is done and the exit is known. May be called again,
   * and after the command has ended, for what it left behind. The output stays.
   */
  async kill(): Promise<void> {
    await this.stopGroup();
    await sweepTerminals([this.id]);
    await this.whenKilled();
  }

  /** The first part of {@link kill}, to sweep after several at once. */
  stopGroup(): Promise<void> {
    this.#stopping ??= this.#stopGroup().finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  /** Resolves when the exit of a killed command is known, or it is clear that it cannot be killed. */
  async whenKilled(): Promise<void> {
    await within(this.exited, UNKILLABLE_MS + this.#limits.drainMs);
  }

  /** Frees the pipe. Nothing more is added to the output. */
  dispose(): void {
    this.#stream.destroy();
  }

  /** Resolves when the output has ended, well or not. */
  #readOutput(onOutput: (() => void) | undefined): Promise<void> {
    this.#stream.on('data', (chunk: Buffer) => {
      this.#buffer.append(chunk);
      onOutput?.();
    });
    // A broken pipe ends the output, not the host and not the command (B106).
    this.#stream.on('error', () => this.#stream.destroy());
    return new Promise((resolve) => {
      const over = (): void => {
        this.#isStreamOver = true;
        resolve();
      };
      this.#stream.once('end', over);
      this.#stream.once('close', over);
      this.#stream.resume();
    });
  }

  async #watchExit(streamOver: Promise<void>): Promise<TerminalExit> {
    const exit = await this.#ended;
    this.#isGroupGone = !isGroupAlive(this.#pid);
    const stop = new AbortController();
    const late = delay(this.#limits.drainMs, undefined, { signal: stop.signal });
    // What the command left behind may keep the pipe open, or even busy, for ever (B105).
    const over = Promise.race([streamOver, late.catch(() => undefined)]);
    await whenAllRead(this.#stream, over, () => false);
    stop.abort();
    this.#exit = exit;
    return exit;
  }

  async #stopGroup(): Promise<void> {
    if (this.#isGroupGone) return;
    const deadline = performance.now() + this.#limits.killGraceMs;
    signalGroup(this.#pid, 'SIGTERM');
    await within(this.#ended, this.#limits.killGraceMs);
    while (this.#isRunning() && performance.now() < deadline) await delay(LOOK_MS);
    if (!this.#isRunning()) return;
    signalGroup(this.#pid, 'SIGKILL');
    await within(this.#ended, UNKILLABLE_MS);
  }

  #isRunning(): boolean {
    this.#isGroupGone ||= !isGroupAlive(this.#pid);
    return !this.#isGroupGone;
  }
}

/** Resolves when the promise does, or when the time is over. */
async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  const late = new AbortController();
  const timer = delay(ms, undefined, { signal: late.signal }).catch(() => undefined);
  await Promise.race([promise, timer]);
  late.abort();
}
