import { Worker } from 'node:worker_threads';
import { CoreError } from '@signalbox/core';
import type { Operation, Outcome, WriterSettings } from './operations.ts';
import { toCoreError } from './to-core-error.ts';

/** The most operations and the most text (UTF-16 units) that share one transaction. */
const GROUP_OPERATIONS_MAX = 1024;
const GROUP_LENGTH_MAX = 8 * 1024 * 1024;

const WRITER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './writer.ts' : './writer.js',
  import.meta.url,
);

interface Pending {
  readonly operation: Operation;
  readonly resolve: (value: number) => void;
  readonly reject: (reason: CoreError) => void;
}

/** The host's end of the writer's thread. */
export interface WriterClient {
  /**
   * Queues a write behind all earlier ones. Resolves with the outcome's value when it is durable.
   *
   * @throws CoreError as the operation's outcome says, or why the thread ended.
   */
  submit(operation: Operation): Promise<number>;
  /** Finishes what was submitted, then ends the thread. Nothing may be submitted afterwards. */
  close(): Promise<void>;
}

/**
 * Starts a writer's thread for one file. While a group is being committed, what arrives forms the
 * next one. An idle thread does not keep the process alive.
 *
 * @param url the thread's program; another one only in tests.
 */
export function startWriter(settings: WriterSettings, url: URL = WRITER_URL): WriterClient {
  return new GroupingWriter(settings, url);
}

class GroupingWriter implements WriterClient {
  readonly #file: string;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  #queue: Pending[] = [];
  #inFlight: readonly Pending[] = [];
  #isFlushScheduled = false;
  #hasSent = false;
  /** Set while closing: called when the last operation is done. */
  #onIdle: (() => void) | undefined;
  /** Why the thread ended; the first reason stays. */
  #ended: CoreError | undefined;

  constructor(settings: WriterSettings, url: URL) {
    this.#file = settings.file;
    // None of the host's flags: no loader slows the start, and the program needs no condition to
    // find its modules, since it imports none of our packages but their types.
    this.#worker = new Worker(url, { workerData: settings, execArgv: [] });
    this.#worker.unref();
    this.#worker.on('message', (outcomes: readonly Outcome[]) => this.#settle(outcomes));
    this.#worker.on('error', (error) => this.#end(error));
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#end(new Error('the thread exited'));
        resolve();
      });
    });
  }

  submit(operation: Operation): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) {
        reject(this.#ended);
        return;
      }
      this.#queue.push({ operation, resolve, reject });
      this.#scheduleFlush();
    });
  }

  async close(): Promise<void> {
    if (!this.#isIdle()) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#worker.ref();
    if (this.#hasSent) this.#worker.postMessage('close');
    else void this.#worker.terminate();
    await this.#exited;
  }

  #isIdle(): boolean {
    return this.#queue.length === 0 && this.#inFlight.length === 0;
  }

  /** Waits for the end of the microtask, so that calls made together are committed together. */
  #scheduleFlush(): void {
    if (this.#isFlushScheduled || this.#inFlight.length > 0) return;
    this.#isFlushScheduled = true;
    queueMicrotask(() => {
      this.#isFlushScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#queue.length === 0 || this.#ended !== undefined) return;
    const count = countGroup(this.#queue);
    this.#inFlight = this.#queue.slice(0, count);
    this.#queue = this.#queue.slice(count);
    this.#hasSent = true;
    this.#worker.ref();
    this.#worker.postMessage(this.#inFlight.map(({ operation }) => operation));
  }

  #settle(outcomes: readonly Outcome[]): void {
    const settled = this.#inFlight;
    this.#inFlight = [];
    // The next group leaves first, so that the disk works while the callers are told.
    this.#flush();
    for (const [index, { resolve, reject }] of settled.entries()) {
      const outcome = outcomes[index];
      if (outcome?.ok === true) resolve(outcome.value);
      else if (outcome !== undefined) reject(toCoreError(outcome.failure));
    }
    if (!this.#isIdle()) return;
    this.#worker.unref();
    this.#onIdle?.();
  }

  #end(error: unknown): void {
    if (this.#ended !== undefined) return;
    const ended = new CoreError('journal_write_failed', `the writer of ${this.#file} ended`, {
      cause: error,
      hint: 'Writes under way may or may not be stored: open the journal again and read the heads.',
    });
    this.#ended = ended;
    for (const { reject } of [...this.#inFlight, ...this.#queue]) reject(ended);
    this.#inFlight = [];
    this.#queue = [];
    this.#onIdle?.();
  }
}

function countGroup(queue: readonly Pending[]): number {
  let count = 0;
  let length = 0;
  for (const { operation } of queue) {
    length += lengthOf(operation);
    if (count > 0 && length > GROUP_LENGTH_MAX) break;
    count += 1;
    if (count === GROUP_OPERATIONS_MAX) break;
  }
  return count;
}

function lengthOf(operation: Operation): number {
  if (operation.kind === 'append') {
    return operation.rows.reduce((sum, { body }) => sum + body.length, 0);
  }
  return operation.kind === 'put_snapshot' ? operation.state.length : 0;
}
