import type { ServerResponse } from 'node:http';
import type { Clock } from '@signalbox/host';

/** What became of a piece of a stream. */
export type Written =
  /** The reader takes it. */
  | 'written'
  /** The reader has taken nothing for longer than it may. */
  | 'slow'
  /** The reader has gone, or the stream is to be ended. */
  | 'over';

/** How much is handed over at a time, in bytes: each piece is a sign that the reader makes progress. */
const PIECE_BYTES = 64 * 1024;
/** After how long a browser comes back when it has lost the stream, in ms. */
const RETRY_MS = 2000;

/** What an {@link SseWriter} writes to, and until when. */
export interface SseWriterParts {
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** How long the reader may take nothing, in ms. */
  readonly stallMs: number;
  /** Aborted when the reader has gone or the stream is to be ended. */
  readonly signal: AbortSignal;
}

/** One event stream (SSE). It keeps nothing: whoever writes waits until the reader has taken it (B167). */
export class SseWriter {
  readonly #parts: SseWriterParts;
  #isClosed = false;

  constructor(parts: SseWriterParts) {
    this.#parts = parts;
    parts.response.once('close', () => (this.#isClosed = true));
    // A reader that goes away is no error; "close" tells of it.
    parts.response.on('error', () => undefined);
  }

  /** Sends the headers at once, with what keeps proxies from holding the stream back (B156). */
  open(): void {
    const { response } = this.#parts;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Writes a piece of the stream; resolves when the next one may be written. */
  async write(piece: string | Buffer): Promise<Written> {
    const { response, signal } = this.#parts;
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      if (signal.aborted) return 'over';
      const hasRoom = response.write(bytes.subarray(at, at + PIECE_BYTES));
      if (hasRoom) continue;
      const written = await this.#whenDrained();
      if (written !== 'written') return written;
    }
    return 'written';
  }

  /** Ends the stream in good order, with a comment that says why. A reader that does not take it is dropped. */
  end(why: string): void {
    if (this.#isClosed) return;
    const { response, clock, stallMs } = this.#parts;
    response.once(
      'close',
      clock.setTimer(stallMs, () => response.destroy()),
    );
    response.end(`: ${why}\n\n`);
  }

  /** Ends the stream of a reader that takes nothing; what waits for it is dropped. */
  drop(): void {
    this.end('slow');
    this.#parts.response.destroy();
  }

  #whenDrained(): Promise<Written> {
    const { response, clock, stallMs, signal } = this.#parts;
    return new Promise((resolve) => {
      const finish = (written: Written): void => {
        cancelTimer();
        response.off('drain', onDrain);
        signal.removeEventListener('abort', onOver);
        resolve(written);
      };
      const onDrain = (): void => finish('written');
      const onOver = (): void => finish('over');
      const cancelTimer = clock.setTimer(stallMs, () => finish('slow'));
      response.on('drain', onDrain);
      signal.addEventListener('abort', onOver);
    });
  }
}
