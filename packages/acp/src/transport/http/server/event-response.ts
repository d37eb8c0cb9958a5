import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../clock/clock.ts';
import { EVENT_STREAM_TYPE, HttpHeader, type StreamEnd } from '../http-header.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { AcpHttpLimits } from './http-limits.ts';

const ENCODER = new TextEncoder();

/** The most that is written at once, in bytes: each piece that gets through proves a slow reader alive. */
const WRITE_BYTES = 64 * 1024;

/** Who is told what happens to an {@link EventResponse}. */
export interface EventResponseOwner {
  /** There is room again. */
  onDrain(): void;
  /** Nothing can be written any more; called once. */
  onEnd(response: EventResponse): void;
}

/** What an {@link EventResponse} is made of. */
export interface EventResponseOptions {
  readonly exchange: HttpExchange;
  readonly connectionId: string;
  readonly clock: Clock;
  readonly limits: Pick<
    AcpHttpLimits,
    'stallMs' | 'keepAliveMs' | 'pollMs' | 'retryMs' | 'flushMs'
  >;
  /** Whether the response ends behind the first events (B169). */
  readonly isPoll: boolean;
}

/** The response to one GET: an event stream while its client reads it. */
export class EventResponse {
  readonly isPoll: boolean;
  readonly #response: ServerResponse;
  readonly #options: EventResponseOptions;
  /** How long nothing may be written. */
  readonly #silenceMs: number;
  #owner: EventResponseOwner | undefined;
  /** What is left of an event that is written in pieces. */
  #rest: Buffer | undefined;
  #isFull = false;
  #isPollAnswered = false;
  #writtenAt: number;
  #cancelSilence: (() => void) | undefined;
  #cancelStall: (() => void) | undefined;
  #isEnded = false;

  constructor(options: EventResponseOptions) {
    this.#options = options;
    this.isPoll = options.isPoll;
    this.#silenceMs = options.isPoll ? options.limits.pollMs : options.limits.keepAliveMs;
    this.#response = options.exchange.response;
    this.#writtenAt = options.clock.elapsed();
  }

  /** Whether what is written now would only wait. */
  get isBlocked(): boolean {
    return this.#isFull || this.#rest !== undefined;
  }

  /** Whether the client has only a part of an event so far. */
  get isMidEvent(): boolean {
    return this.#rest !== undefined;
  }

  /** Sends the header and the id that the stream goes on behind (B156, B161). */
  start(owner: EventResponseOwner, eventId: string): void {
    const { limits, connectionId, exchange } = this.#options;
    this.#owner = owner;
    withoutTimeouts(exchange);
    this.#response.on('drain', () => this.#onDrain());
    void exchange.closed.then(() => this.#onClosed());
    this.#response.writeHead(200, {
      'Content-Type': EVENT_STREAM_TYPE,
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
      [HttpHeader.connectionId]: connectionId,
    });
    this.#write(`retry: ${limits.retryMs}\nid: ${eventId}\n\n`);
    this.#watchSilence(this.#writtenAt);
  }

  /** Writes whole events. */
  write(events: string): void {
    this.#rest = toBytes(events);
    this.#writeRest();
  }

  /** The first events of a poll have been written, and it ends behind them. */
  answerPoll(): void {
    this.#isPollAnswered = true;
    if (!this.isMidEvent) this.end();
  }

  /** Ends the response with its reason; a reader that is in the midst of an event is cut off. */
  end(reason?: StreamEnd): void {
    if (this.#isEnded) return;
    const { clock, limits } = this.#options;
    this.#finish();
    if (this.isMidEvent) {
      this.#response.destroy();
      return;
    }
    this.#response.end(reason === undefined ? undefined : `: ${reason}\n\n`);
    // A reader that has stopped would hold the socket for ever.
    this.#cancelStall = clock.setTimer(limits.flushMs, () => this.#response.destroy());
  }

  #write(text: string | Buffer): void {
    this.#writtenAt = this.#options.clock.elapsed();
    if (!this.#response.write(text)) this.#onFull();
  }

  #writeRest(): void {
    while (this.#rest !== undefined && !this.#isFull) {
      const piece = this.#rest.subarray(0, WRITE_BYTES);
      this.#rest = this.#rest.length > WRITE_BYTES ? this.#rest.subarray(WRITE_BYTES) : undefined;
      this.#write(piece);
    }
  }

  #onFull(): void {
    const { clock, limits } = this.#options;
    this.#isFull = true;
    this.#cancelStall?.();
    this.#cancelStall = clock.setTimer(limits.stallMs, () => this.end('slow'));
  }

  #onDrain(): void {
    this.#isFull = false;
    if (this.#isEnded) return;
    this.#cancelStall?.();
    this.#writeRest();
    if (this.#isPollAnswered && !this.isMidEvent) this.end();
    else if (!this.isBlocked) this.#owner?.onDrain();
  }

  #watchSilence(since: number): void {
    const { clock } = this.#options;
    const leftMs = since + this.#silenceMs - clock.elapsed();
    this.#cancelSilence = clock.setTimer(leftMs, () => this.#onSilence());
  }

  /** A stream says that it is still there, and a poll has waited long enough. */
  #onSilence(): void {
    const now = this.#options.clock.elapsed();
    const isSilent = now >= this.#writtenAt + this.#silenceMs;
    // Where something waits to get through, that is what tells whether the reader is there.
    if (isSilent && !this.isBlocked) {
      this.#write(':\n\n');
      if (this.isPoll) {
        this.end();
        return;
      }
    }
    this.#watchSilence(isSilent ? now : this.#writtenAt);
  }

  #onClosed(): void {
    this.#finish();
    this.#cancelStall?.();
  }

  #finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#cancelSilence?.();
    this.#cancelStall?.();
    this.#owner?.onEnd(this);
  }
}

/** As UTF-8. Room for nearly all texts is taken without measuring them, which takes a quarter of the time. */
function toBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(text.length + (text.length >> 3));
  const { read, written } = ENCODER.encodeInto(text, bytes);
  return read === text.length ? bytes.subarray(0, written) : Buffer.from(text);
}

/** A stream may be silent for longer than its server waits for requests (B158). */
function withoutTimeouts({ request, response }: HttpExchange): void {
  response.setTimeout(0);
  const { stream } = request as { stream?: { session?: { setTimeout(ms: number): void } } };
  stream?.session?.setTimeout(0);
}
