import { requestText } from './encode-message.ts';
import { FrameReader } from './frame-reader.ts';
import { Inbox } from './inbox.ts';
import { IncomingRequests } from './incoming-requests.ts';
import { DEFAULT_RPC_LIMITS, type RpcLimits } from './limits.ts';
import { NotificationEncoder } from './message-codec.ts';
import type { ResponseMessage } from './message.ts';
import { Noise } from './noise.ts';
import { closedError, isPeerError, PeerError } from './peer-error.ts';
import type {
  CloseReason,
  PeerHandler,
  PeerOptions,
  PeerProblem,
  RequestOptions,
} from './peer-types.ts';
import { PendingRequests, type PendingRequest } from './pending-requests.ts';
import { abortedBefore, watchRequest } from './request-bounds.ts';
import type { FramePlace, Transport } from './transport.ts';
import { isOverBytes, utf8Length } from './utf8-length.ts';

const DRAIN_MS = 2000;

/** One end of a JSON-RPC 2.0 connection. Reading starts at once and never waits for a handler. */
export class Peer {
  readonly #transport: Transport;
  readonly #handler: PeerHandler;
  readonly #limits: RpcLimits;
  readonly #options: PeerOptions;
  readonly #pending = new PendingRequests<ResponseMessage>();
  readonly #incoming: IncomingRequests;
  readonly #inbox: Inbox;
  readonly #encoder = new NotificationEncoder();
  /** What arrived that was no message. */
  readonly noise: Noise;
  /** Resolves, never rejects, when the connection has ended and everything is flushed. */
  readonly closed: Promise<CloseReason>;
  #reason: CloseReason | undefined;
  #stopDraining: (() => void) | undefined;

  constructor(transport: Transport, handler: PeerHandler, options: PeerOptions = {}) {
    this.#transport = transport;
    this.#handler = handler;
    this.#options = options;
    this.#limits = { ...DEFAULT_RPC_LIMITS, ...options.limits };
    this.noise = new Noise(this.#limits);
    this.#incoming = new IncomingRequests({
      requestsMax: this.#limits.incomingRequestsMax,
      lengthMax: this.#limits.incomingLengthMax,
      frameBytesMax: this.#limits.frameBytesMax,
      handle: (request, context) => handler.onRequest(request, context),
      answer: (text) => this.#answer(text),
      onUnexpectedError: (cause, request) =>
        this.#problem('handler_failed', `The handler of ${request.method} failed`, cause),
    });
    const onProblem = this.#problem.bind(this);
    const reader = new FrameReader({
      limits: this.#limits,
      noise: this.noise,
      mode: options.noise ?? 'answer',
      answer: (text) => this.#answer(text),
      rejectPending: (id, error) => this.#pending.take(id)?.reject(error),
      onProblem,
    });
    this.#inbox = new Inbox({
      options,
      handler,
      reader,
      noise: this.noise,
      incoming: this.#incoming,
      pending: this.#pending,
      onProblem,
    });
    this.closed = this.#run();
  }

  /** Own requests that wait for an answer. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Whether the connection has ended or is about to. */
  get isClosed(): boolean {
    return this.#reason !== undefined;
  }

  /**
   * Sends a request and resolves with the response message that holds its result.
   *
   * @throws RpcError when the other side answers with an error; PeerError otherwise.
   */
  request(method: string, params: unknown, options?: RequestOptions): Promise<ResponseMessage> {
    return this.call(method, params, asIs, options);
  }

  /**
   * Like {@link request}, but resolves with what `toResult` makes of the response, and rejects with what it
   * throws. A caller that awaits the response only to do that would need a promise more.
   */
  call<Result>(
    method: string,
    params: unknown,
    toResult: (response: ResponseMessage, method: string) => Result,
    options?: RequestOptions,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal(method, options);
      if (refusal !== undefined) {
        reject(refusal);
        return;
      }
      const entry: PendingRequest<ResponseMessage> = {
        resolve: (response) => {
          try {
            resolve(toResult(response, method));
          } catch (error) {
            entry.reject(error as Error);
          }
        },
        reject,
        stopWatching: undefined,
      };
      const id = this.#pending.add(entry);
      try {
        void this.#send(requestText(id, method, params));
      } catch (error) {
        this.#pending.take(id)?.reject(error as Error);
        return;
      }
      if (options !== undefined) entry.stopWatching = this.#watch(id, method, options);
    });
  }

  /**
   * Sends a notification. On a connection that has ended it is dropped, since nobody is left to tell.
   *
   * @param place where it belongs, for transports with several streams.
   * @returns a promise only when the sender should wait before it sends more.
   * @throws PeerError `too_large`, `not_serializable` or `queue_full`; then nothing is sent.
   */
  notify(method: string, params: unknown, place?: FramePlace): void | Promise<void> {
    if (this.#reason !== undefined) return;
    try {
      return this.#send(this.#encoder.encode(method, params), place);
    } catch (error) {
      // The transport may know of the end before the last frames have been read.
      if (!isPeerError(error, 'closed')) throw error;
    }
  }

  /** Ends the connection: what was sent before is flushed, pending calls reject as `closed`. */
  async close(): Promise<CloseReason> {
    this.#end({ kind: 'closed_here' });
    this.#incoming.abortAll();
    this.#stopDraining?.();
    await this.#transport.close();
    return this.closed;
  }

  /** The connection's whole life. */
  async #run(): Promise<CloseReason> {
    // The constructor returns first, so that the owner holds the peer before anything arrives.
    await Promise.resolve();
    const reason = await this.#inbox.takeAll(this.#transport);
    this.#end(reason);
    if (this.#reason?.kind === 'closed_there') await this.#drain();
    this.#incoming.abortAll();
    await this.#transport.close();
    return this.#reason ?? reason;
  }

  #refusal(method: string, options?: RequestOptions): PeerError | undefined {
    if (this.#reason !== undefined) return closedError(this.#reason.error, method);
    if (this.#pending.size >= this.#limits.pendingRequestsMax) {
      return new PeerError('queue_full', `too many requests wait for an answer (${method})`);
    }
    return abortedBefore(method, options);
  }

  #watch(id: number, method: string, options: RequestOptions): () => void {
    return watchRequest(
      {
        method,
        cancel: () => this.#sendCancel(id),
        giveUp: (error) => this.#pending.take(id)?.reject(error),
      },
      options,
    );
  }

  #sendCancel(id: number): void {
    const { cancelMethod } = this.#options;
    if (cancelMethod === undefined) return;
    try {
      void this.notify(cancelMethod, { requestId: id });
    } catch {
      // The queue is full. The caller stops waiting all the same, which is what it asked for.
    }
  }

  #send(text: string, place?: FramePlace): void | Promise<void> {
    const { frameBytesMax } = this.#limits;
    if (isOverBytes(text, frameBytesMax)) {
      const bytes = utf8Length(text);
      throw new PeerError('too_large', `the message has ${bytes} bytes, limit ${frameBytesMax}`);
    }
    this.#options.tap?.('out', text);
    return this.#transport.send(text, place);
  }

  #answer(text: string): void {
    try {
      void this.#send(text);
    } catch (error) {
      if (isPeerError(error, 'closed')) return;
      // A request without an answer would leave the other side waiting: better end than be silent.
      this.#end({ kind: 'failed', error: error as Error });
      this.#incoming.abortAll();
      void this.#transport.close();
    }
  }

  #problem(kind: PeerProblem['kind'], message: string, cause?: unknown): void {
    this.#handler.onProblem?.(cause === undefined ? { kind, message } : { kind, message, cause });
  }

  #end(reason: CloseReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#pending.rejectAll(closedError(reason.error));
    this.#inbox.stop();
  }

  /** Lets answers under way go out: a peer that only closed its own direction still reads them. */
  async #drain(): Promise<void> {
    if (this.#incoming.size === 0) return;
    const { drainMs = DRAIN_MS } = this.#options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#stopDraining = resolve;
      timer = setTimeout(resolve, drainMs);
      void this.#incoming.whenIdle().then(resolve);
    });
    clearTimeout(timer);
  }
}

function asIs(response: ResponseMessage): ResponseMessage {
  return response;
}
