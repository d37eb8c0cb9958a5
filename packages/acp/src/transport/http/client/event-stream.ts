import type { Clock } from '../../../clock/clock.ts';
import { EVENT_STREAM_TYPE, HttpHeader, type StreamEnd } from '../http-header.ts';
import { BackOff } from './back-off.ts';
import { EventParser } from './event-parser.ts';
import type { HttpClientLimits } from './http-client-options.ts';
import type { HttpFetchBody, HttpFetchReader } from './http-fetch.ts';
import { isTransient, toRefusal, type HttpRequests } from './http-requests.ts';
import { HttpTransportError } from './http-transport-error.ts';
import { SilenceWatch } from './silence-watch.ts';

/** What all streams of a client have in common. */
export interface EventStreamSurroundings {
  readonly requests: HttpRequests;
  readonly isPoll: boolean;
  readonly limits: Required<HttpClientLimits>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string) => void;
}

/** What one stream is. */
export interface EventStreamOptions {
  /** Which stream it is, for people. */
  readonly name: string;
  /** The headers that name it. */
  readonly headers: Readonly<Record<string, string>>;
  /** The id that stands before the first event; undefined when the server does not tell. */
  readonly startId: string | undefined;
  /** Takes frames in, and returns a promise while there is no room for more. */
  readonly onFrames: (frames: readonly string[]) => Promise<void> | undefined;
}

/** How one response ended. `end_of_file` behind something, `empty` behind nothing. */
type ResponseEnd = StreamEnd | 'end_of_file' | 'empty';

/**
 * Reads one event stream, over as many responses as it takes: what one of them did not bring, the next one
 * does (B151, B161).
 */
export class EventStream {
  /** Resolves when nothing more comes and that is in order; rejects with an HttpTransportError otherwise. */
  readonly finished: Promise<void>;
  readonly #surroundings: EventStreamSurroundings;
  readonly #options: EventStreamOptions;
  readonly #backOff: BackOff;
  readonly #stop = new AbortController();
  #lastId: string | undefined;
  #hasOpened = false;
  /** Whether the server may have forgotten the stream since it was left, which loses nothing. */
  #mayStartOver: boolean;

  /** @param lastId the id behind which the stream was left, if it was read before. */
  constructor(surroundings: EventStreamSurroundings, options: EventStreamOptions, lastId?: string) {
    this.#surroundings = surroundings;
    this.#options = options;
    this.#backOff = new BackOff(surroundings);
    this.#lastId = lastId ?? options.startId;
    this.#mayStartOver = lastId !== undefined;
    this.finished = this.#run();
  }

  /** The id of the last event whose frame was handed on. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** Ends the reading. */
  stop(): void {
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      let failure: HttpTransportError | undefined;
      try {
        const end = await this.#readOnce();
        if (end === 'closed') return;
        if (end === 'end_of_file' && this.#surroundings.isPoll) continue;
        if (end === 'replaced') throw this.#error('replaced', 'is read by somebody else now');
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        failure = this.#toFailure(error);
        if (this.#startsOver(failure)) continue;
        if (this.#isPermanent(failure)) throw failure;
      }
      await this.#waitForNextTry(failure);
    }
  }

  async #waitForNextTry(cause: HttpTransportError | undefined): Promise<void> {
    // What was on its way when a stream was lost must not be missing without a word.
    if (this.#lastId === undefined && this.#hasOpened) {
      throw this.#error('not_resumable', 'was lost, and the server gives no ids to go on behind', {
        cause,
      });
    }
    if (!this.#backOff.fail()) {
      const status = cause?.status;
      throw this.#error('unreachable', 'was lost and could not be opened again', { status, cause });
    }
    const { name } = this.#options;
    this.#surroundings.log(`${name} was lost and is opened again: ${cause?.message ?? 'it ended'}`);
    await this.#backOff.wait(this.#stop.signal, cause?.retryAfterMs);
  }

  /** Reads one response to its end. */
  async #readOnce(): Promise<ResponseEnd> {
    const { clock, limits } = this.#surroundings;
    const abort = new AbortController();
    const onStop = (): void => abort.abort();
    this.#stop.signal.addEventListener('abort', onStop);
    const watch = new SilenceWatch(clock, limits.deadMs, () => {
      abort.abort(this.#error('unreachable', `has brought nothing for ${limits.deadMs} ms`));
    });
    try {
      const body = await this.#request(abort.signal);
      this.#hasOpened = true;
      this.#mayStartOver = false;
      return await this.#readEvents(body.getReader(), watch);
    } finally {
      watch.end();
      this.#stop.signal.removeEventListener('abort', onStop);
      abort.abort();
    }
  }

  async #request(signal: AbortSignal): Promise<HttpFetchBody> {
    const { requests, isPoll } = this.#surroundings;
    const { headers, name } = this.#options;
    const lastId = this.#lastId;
    const response = await requests.send({
      method: 'GET',
      headers: {
        Accept: EVENT_STREAM_TYPE,
        ...headers,
        ...(lastId === undefined ? {} : { [HttpHeader.lastEventId]: lastId }),
        ...(isPoll ? { [HttpHeader.poll]: '1' } : {}),
      },
      signal,
    });
    if (response.status !== 200) throw await toRefusal(response, name);
    const type = response.headers.get('Content-Type')?.toLowerCase() ?? '';
    if (type.startsWith(EVENT_STREAM_TYPE) && response.body !== null) return response.body;
    throw this.#error('invalid_response', 'is answered by something that is no event stream');
  }

  async #readEvents(reader: HttpFetchReader, watch: SilenceWatch): Promise<ResponseEnd> {
    const decoder = new TextDecoder();
    const parser = new EventParser(this.#surroundings.limits.frameLengthMax);
    let end: ResponseEnd = 'empty';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return end;
      watch.seen();
      const parsed = parser.feed(decoder.decode(value, { stream: true }));
      if (parsed.frames.length > 0 || parsed.hasComment) {
        this.#backOff.reset();
        end = 'end_of_file';
      }
      const room = this.#options.onFrames(parsed.frames);
      // Only now: what is remembered as seen has been handed on.
      if (parsed.lastId !== undefined) this.#lastId = parsed.lastId;
      if (parsed.end !== undefined) return parsed.end;
      if (room !== undefined) await watch.pauseFor(room);
    }
  }

  #startsOver({ status }: HttpTransportError): boolean {
    if (!this.#mayStartOver || status !== 409) return false;
    this.#mayStartOver = false;
    this.#lastId = this.#options.startId;
    return true;
  }

  #toFailure(error: unknown): HttpTransportError {
    if (error instanceof HttpTransportError) return error;
    return this.#error('unreachable', `is cut off: ${String(error)}`, { cause: error });
  }

  #isPermanent({ code, status }: HttpTransportError): boolean {
    if (code === 'replaced' || code === 'too_large') return true;
    if (code !== 'refused' || status === undefined) return false;
    // A server without ids means by 409 that it has not noticed yet how the stream before was lost.
    if (status === 409) return this.#lastId !== undefined;
    return !isTransient(status);
  }

  #error(
    code: HttpTransportError['code'],
    what: string,
    details?: { readonly status?: number | undefined; readonly cause?: unknown },
  ): HttpTransportError {
    return new HttpTransportError(code, `${this.#options.name} ${what}`, details);
  }
}
