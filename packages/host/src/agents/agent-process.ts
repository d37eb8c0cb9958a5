import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as afterPendingWrites, setTimeout as delay } from 'node:timers/promises';
import type { AgentExit } from '@signalbox/core';
import { endWithHost } from './end-with-host.ts';
import { isGroupAlive, processStartTime } from './process-identity.ts';
import { signalGroup, sweepSession } from './process-tree.ts';
import { toSpawnError, type SpawnRequest } from './spawn-problem.ts';
import { StderrTail } from './stderr-tail.ts';

/** How long an agent may take for each step of ending, in ms. */
export interface EndingLimits {
  /** From the end of its input until SIGTERM. Agents store their history then (B114). Default 2000. */
  readonly eofGraceMs: number;
  /** From SIGTERM until SIGKILL. Default 2000. */
  readonly termGraceMs: number;
}

/** What holds where nothing else is given. */
export const DEFAULT_ENDING_LIMITS: EndingLimits = { eofGraceMs: 2000, termGraceMs: 2000 };

/** How a process ended, without what only its connection knows. */
export type ProcessExit = Omit<AgentExit, 'noiseCount' | 'cause'>;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A grandchild that holds stderr open must not delay the news of the exit for long. */
const STDERR_AFTER_EXIT_MS = 100;
/** How often to look whether a process group has ended: the system does not tell. */
const LOOK_MS = 20;

/** An agent's process, with pipes that only it and the host hold. */
export class AgentProcess {
  readonly pid: number;
  readonly startTime: string | null;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves, never rejects, when the process has ended. */
  readonly exited: Promise<ProcessExit>;
  readonly #child: Child;
  readonly #sessionId: string;
  readonly #stderr: StderrTail;
  readonly #forget: () => void;
  #hasExited = false;
  #ending: Promise<ProcessExit> | undefined;

  private constructor(child: Child, sessionId: string, pid: number) {
    this.#child = child;
    this.#sessionId = sessionId;
    this.pid = pid;
    this.startTime = processStartTime(pid);
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.#stderr = new StderrTail(child.stderr);
    this.#forget = endWithHost({ pid, sessionId });
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#hasExited = true;
        const done = (): void => resolve({ code, signal, stderrTail: this.#stderr.text });
        // The rest of the wait keeps nobody from ending.
        const late = delay(STDERR_AFTER_EXIT_MS, undefined, { ref: false });
        void Promise.race([this.#stderr.ended, late]).then(done);
      });
    });
    // A write after the process has ended fails; its end is told by `exited` (B115).
    child.stdin.on('error', () => undefined);
  }

  /** The end of what it wrote to stderr so far. */
  get stderrTail(): string {
    return this.#stderr.text;
  }

  /**
   * Starts a program as the leader of its own process group.
   *
   * @throws HostError `agent_spawn_failed` or `cwd_invalid`, saying which part is missing.
   */
  static async spawn(request: SpawnRequest, sessionId: string): Promise<AgentProcess> {
    const [program = '', ...args] = request.command;
    let child: Child;
    try {
      child = spawn(program, args, {
        cwd: request.cwd,
        env: request.environment,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
    } catch (error) {
      throw toSpawnError(request, error);
    }
    // Listeners are attached in the same turn, or a failed start would end the host (B116).
    const failed = new Promise<never>((_, reject) => {
      child.once('error', (error) => reject(toSpawnError(request, error)));
    });
    // Without a pid there may be no pipes either.
    if (child.pid === undefined) return failed;
    failed.catch(() => undefined);
    const started = new AgentProcess(child, sessionId, child.pid);
    await Promise.race([new Promise<void>((resolve) => child.once('spawn', resolve)), failed]);
    return started;
  }

  /**
   * Ends the whole process tree: end of input, SIGTERM, SIGKILL, each with its grace, then whatever
   * carries the session's mark. Resolves when the process has ended. May be called again, and is also
   * to be called when the process has ended by itself, for what it left behind. Its output stays
   * readable until {@link dispose}.
   */
  end(limits: EndingLimits = DEFAULT_ENDING_LIMITS): Promise<ProcessExit> {
    this.#ending ??= this.#end(limits);
    return this.#ending;
  }

  /** Frees the pipes, also those that somebody else still holds open. */
  dispose(): void {
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  /** Resolves when the process has ended or the time is over. @returns whether it has ended. */
  async exitsWithin(ms: number): Promise<boolean> {
    const late = new AbortController();
    const timer = delay(ms, false, { signal: late.signal }).catch(() => false);
    const exited = await Promise.race([this.exited.then(() => true), timer]);
    late.abort();
    return exited;
  }

  async #end({ eofGraceMs, termGraceMs }: EndingLimits): Promise<ProcessExit> {
    // What a process leaves behind that ended by itself has nobody to work for.
    if (!this.#hasExited) await this.#askToEnd(eofGraceMs, termGraceMs);
    signalGroup(this.pid, 'SIGKILL');
    const exit = await this.exited;
    await sweepSession(this.#sessionId);
    this.#forget();
    return exit;
  }

  async #askToEnd(eofGraceMs: number, termGraceMs: number): Promise<void> {
    // Messages of this turn of the event loop, such as a cancel, are written at its end.
    await afterPendingWrites();
    this.stdin.end();
    await this.exitsWithin(eofGraceMs);
    // Where a launcher ended first, the agent behind it still has its chance to store its history.
    if (!isGroupAlive(this.pid)) return;
    signalGroup(this.pid, 'SIGTERM');
    const deadline = performance.now() + termGraceMs;
    while (isGroupAlive(this.pid) && performance.now() < deadline) {
      await delay(Math.min(LOOK_MS, Math.max(deadline - performance.now(), 0)));
    }
  }
}
