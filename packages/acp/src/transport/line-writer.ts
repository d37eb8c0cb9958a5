import type { Writable } from 'node:stream';
import { closedError, PeerError } from '../jsonrpc/peer-error.ts';

/** Characters gathered before they are handed to the stream at once. */
const FLUSH_LENGTH = 64 * 1024;
/** So many lines of a turn are handed over first, so that the reader begins while the others are made. */
const FIRST_FLUSH_LINES = 16;

/** The bounds of a {@link LineWriter}. */
export interface LineWriterLimits {
  /** How much may wait for a reader that does not read, in bytes. */
  readonly queuedBytesMax: number;
  /** How long the end waits for what is queued to be written, in ms. */
  readonly flushMs: number;
}

/**
 * Writes lines whole and in order. What is sent in one turn of the event loop is gathered: a little goes out
 * with one write, much with a small write at first and large ones behind it. A frame is one string handed to
 * the stream, so nothing can cut it.
 */
export class LineWriter {
  readonly #output: Writable;
  readonly #limits: LineWriterLimits;
  readonly #onLost: (error: Error) => void;
  #gathered = '';
  /** How many lines were sent in this turn. */
  #lines = 0;
  #isScheduled = false;
  #waiting: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  /** Why nothing can be written any more. */
  #failure: Error | undefined;
  #isEnded = false;

  /** @param onLost called once when the output fails or closes before {@link end}. */
  constructor(output: Writable, limits: LineWriterLimits, onLost: (error: Error) => void) {
    this.#output = output;
    this.#limits = limits;
    this.#onLost = onLost;
    // Without a listener an EPIPE would end the process; it is also the signal to stop waiting.
    output.on('error', (error) => this.#fail(error));
    output.on('close', () => this.#fail(new Error('the output is closed')));
    output.on('drain', () => this.#release());
  }

  /** @throws PeerError `closed` or `queue_full`; then nothing of the line is sent. */
  write(line: string): void | Promise<void> {
    if (this.#failure !== undefined || this.#isEnded) throw closedError(this.#failure);
    const queued = this.#output.writableLength + this.#gathered.length;
    if (queued + line.length > this.#limits.queuedBytesMax && queued > 0) {
      throw new PeerError('queue_full', 'the other side does not read what is sent to it');
    }
    this.#gathered += `${line}\n`;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      // A tick runs when all promise reactions that are due have run, so their lines are in it too.
      process.nextTick(this.#onTick);
    }
    this.#lines++;
    if (this.#lines === FIRST_FLUSH_LINES || this.#gathered.length >= FLUSH_LENGTH) this.#flush();
    return this.#waiting;
  }

  /** Writes everything out and ends the output. Resolves when it is flushed, has failed or is late. */
  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#flush();
    this.#isEnded = true;
    if (this.#failure === undefined) await this.#finish();
    this.#release();
  }

  async #finish(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#output.once('close', resolve);
      this.#output.end(() => resolve());
      timer = setTimeout(resolve, this.#limits.flushMs);
    });
    clearTimeout(timer);
    // Nobody reads what is left, and an output that is not finished would hold the process.
    if (!this.#output.writableFinished) this.#output.destroy();
  }

  readonly #onTick = (): void => {
    this.#isScheduled = false;
    this.#lines = 0;
    this.#flush();
  };

  #flush(): void {
    if (this.#gathered === '' || this.#failure !== undefined) return;
    const text = this.#gathered;
    this.#gathered = '';
    if (!this.#output.write(text)) {
      this.#waiting ??= new Promise((resolve) => (this.#wake = resolve));
    }
  }

  #release(): void {
    this.#waiting = undefined;
    this.#wake?.();
    this.#wake = undefined;
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#gathered = '';
    this.#release();
    if (!this.#isEnded) this.#onLost(error);
  }
}
