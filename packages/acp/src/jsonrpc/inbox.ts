import { afterMicrotasks } from './after-microtasks.ts';
import type { FrameReader, WellFormedMessage } from './frame-reader.ts';
import type { IncomingRequests } from './incoming-requests.ts';
import { memberText } from './member-text.ts';
import type { NotificationMessage, ResponseMessage } from './message.ts';
import type { Noise } from './noise.ts';
import type { CloseReason, PeerHandler, PeerOptions, PeerProblem } from './peer-types.ts';
import type { PendingRequests } from './pending-requests.ts';
import { toRpcError } from './rpc-error.ts';
import type { Frame, Transport } from './transport.ts';

/** Where an {@link Inbox} puts what it takes in. */
export interface InboxOwner {
  readonly options: PeerOptions;
  readonly handler: PeerHandler;
  readonly reader: FrameReader;
  readonly noise: Noise;
  readonly incoming: IncomingRequests;
  readonly pending: PendingRequests<ResponseMessage>;
  onProblem(kind: PeerProblem['kind'], message: string, cause?: unknown): void;
}

/** Takes in what arrives, in the order of the wire, and never waits for a handler. */
export class Inbox {
  readonly #owner: InboxOwner;
  /** Whether the last message was a response, on which somebody may not have acted yet. */
  #isAfterResponse = false;
  #isStopped = false;
  #stopWaiting: (() => void) | undefined;

  constructor(owner: InboxOwner) {
    this.#owner = owner;
  }

  /** Takes in everything there is, and says why there is no more. */
  async takeAll(transport: Transport): Promise<CloseReason> {
    const { handler, noise } = this.#owner;
    try {
      for await (const frames of transport.receive()) {
        await this.#takeBatch(frames);
        if (this.#isStopped) break;
        if (noise.isExcessive) throw noise.error();
        const ready = handler.readyForMore?.();
        if (ready !== undefined) await this.#unlessStopped(ready);
      }
      return { kind: 'closed_there' };
    } catch (error) {
      return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  /** Takes nothing more in. */
  stop(): void {
    this.#isStopped = true;
    this.#stopWaiting?.();
  }

  async #takeBatch(frames: readonly Frame[]): Promise<void> {
    const { options, reader } = this.#owner;
    for (const frame of frames) {
      options.tap?.('in', frame);
      const message = reader.read(frame);
      if (message === undefined) continue;
      const isResponse = message.kind === 'response';
      // Whoever waits for a response acts on it before anything that came after it is applied.
      if (this.#isAfterResponse && !isResponse) await afterMicrotasks();
      this.#isAfterResponse = isResponse;
      if (this.#isStopped) return;
      this.#dispatch(message);
    }
  }

  #dispatch(message: WellFormedMessage): void {
    switch (message.kind) {
      case 'notification':
        if (message.method === this.#owner.options.cancelMethod) this.#onCancel(message);
        else this.#onNotification(message);
        return;
      case 'request':
        this.#owner.incoming.start(message);
        return;
      case 'response':
        this.#onResponse(message);
    }
  }

  #onNotification(message: NotificationMessage): void {
    const owner = this.#owner;
    try {
      owner.handler.onNotification(message);
    } catch (error) {
      owner.onProblem('handler_failed', `The handler of ${message.method} failed`, error);
    }
  }

  #onCancel(message: NotificationMessage): void {
    const idText = memberText(message.text, 'params', 'requestId');
    if (idText !== undefined) this.#owner.incoming.cancel(idText);
  }

  #onResponse(message: ResponseMessage): void {
    const entry = this.#owner.pending.take(message.id);
    if (entry === undefined) {
      const problem = 'A response to no request under way was ignored';
      this.#owner.onProblem('unexpected_response', problem);
    } else if (message.isError) {
      entry.reject(toRpcError(message.error));
    } else {
      entry.resolve(message);
    }
  }

  async #unlessStopped(promise: Promise<void>): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#stopWaiting = resolve;
      promise.then(resolve, reject);
    });
    this.#stopWaiting = undefined;
  }
}
