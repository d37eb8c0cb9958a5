import { errorText, resultText } from './encode-message.ts';
import { isRpcError, RpcErrorCode } from './rpc-error.ts';
import type { IdText, RequestMessage } from './message.ts';
import { isOverBytes, utf8Length } from './utf8-length.ts';

/** What a request handler is given beside the request. */
export interface RequestContext {
  /** Aborted when the other side cancels this request or the connection ends. */
  readonly signal: AbortSignal;
}

/** The code for a request that its sender cancelled. */
export const REQUEST_CANCELLED = -32800;

/** One request of the other side that is being answered. Its signal is made only when asked for. */
class Incoming implements RequestContext {
  /** Of the request, in characters. */
  readonly length: number;
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(length: number) {
    this.length = length;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#aborted;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }
}

/** What {@link IncomingRequests} needs of its surroundings. */
export interface Answering {
  readonly requestsMax: number;
  /** Of all requests under way, in characters. */
  readonly lengthMax: number;
  handle(request: RequestMessage, context: RequestContext): unknown;
  /** Sends a response; must not throw. */
  answer(text: string): void;
  /** An error that the handler did not mean to send; the other side only learns that there was one. */
  onUnexpectedError(error: unknown, request: RequestMessage): void;
  /** The largest response that may be sent. */
  readonly frameBytesMax: number;
}

/** Requests of the other side: each is answered exactly once (R-FRM-12), in any order. */
export class IncomingRequests {
  /** Those that were not answered at once. */
  readonly #open = new Map<IdText, Incoming>();
  #openLength = 0;
  /** The one whose handler is being called. */
  #starting: Incoming | undefined;
  readonly #answering: Answering;
  #idle: (() => void) | undefined;

  constructor(answering: Answering) {
    this.#answering = answering;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Starts the handler at once, so that requests start in the order in which they came. */
  start(request: RequestMessage): void {
    const refusal = this.#refusal(request);
    if (refusal !== undefined) {
      this.#answering.answer(errorText(request.idText, RpcErrorCode.InvalidRequest, refusal));
      return;
    }
    const incoming = new Incoming(request.text.length);
    this.#starting = incoming;
    let result: unknown;
    try {
      result = this.#answering.handle(request, incoming);
    } catch (error) {
      this.#fail(request, incoming, error);
      return;
    } finally {
      this.#starting = undefined;
    }
    if (!isThenable(result)) {
      this.#succeed(request, result);
      return;
    }
    this.#open.set(request.idText, incoming);
    this.#openLength += incoming.length;
    Promise.resolve(result).then(
      (value) => this.#succeed(request, value),
      (error: unknown) => this.#fail(request, incoming, error),
    );
  }

  /** Aborts the handler of one request; an unknown id is ignored. */
  cancel(idText: string): void {
    this.#open.get(idText as IdText)?.abort();
  }

  abortAll(): void {
    this.#starting?.abort();
    for (const incoming of this.#open.values()) incoming.abort();
  }

  /** Resolves when everything is answered. */
  async whenIdle(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  #refusal({ idText, text }: RequestMessage): string | undefined {
    if (this.#open.size === 0) return undefined;
    if (this.#isOpen(idText)) return 'this id is in use by a request under way';
    const { requestsMax, lengthMax } = this.#answering;
    if (this.#open.size >= requestsMax) return 'too many requests under way';
    if (this.#openLength + text.length > lengthMax) return 'too large requests under way';
    return undefined;
  }

  /** Mostly none is, and then the id need not be hashed. */
  #isOpen(idText: IdText): boolean {
    return this.#open.size > 0 && this.#open.has(idText);
  }

  #succeed(request: RequestMessage, result: unknown): void {
    let text: string;
    try {
      text = resultText(request.idText, result);
    } catch (error) {
      // A result that cannot be written must not take the connection down, nor leave the caller waiting.
      this.#answering.onUnexpectedError(error, request);
      text = errorText(request.idText, RpcErrorCode.InternalError, 'The result cannot be sent');
    }
    this.#close(request, text);
  }

  #fail(request: RequestMessage, incoming: Incoming, error: unknown): void {
    if (isRpcError(error)) {
      this.#close(request, errorText(request.idText, error.code, error.message, error.data));
    } else if (incoming.isAborted && error instanceof Error && error.name === 'AbortError') {
      this.#close(request, errorText(request.idText, REQUEST_CANCELLED, 'Request cancelled'));
    } else {
      this.#answering.onUnexpectedError(error, request);
      this.#close(request, errorText(request.idText, RpcErrorCode.InternalError, 'Internal error'));
    }
  }

  #close(request: RequestMessage, text: string): void {
    this.#forget(request.idText);
    const { frameBytesMax } = this.#answering;
    this.#answering.answer(
      isOverBytes(text, frameBytesMax)
        ? errorText(request.idText, RpcErrorCode.InternalError, 'The result is too large to send', {
            bytes: utf8Length(text),
            bytesMax: frameBytesMax,
          })
        : text,
    );
    if (this.#open.size === 0) this.#idle?.();
  }

  #forget(idText: IdText): void {
    if (this.#open.size === 0) return;
    this.#openLength -= this.#open.get(idText)?.length ?? 0;
    this.#open.delete(idText);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== 'object' || value === null || !('then' in value)) return false;
  return typeof value.then === 'function';
}
