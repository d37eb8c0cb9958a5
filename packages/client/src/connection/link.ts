import {
  isPeerError,
  isRpcError,
  Peer,
  type Clock,
  type Frame,
  type InitializeResponse,
  type NotificationMessage,
  type PeerHandler,
  type RequestOptions,
  type ResponseMessage,
  type Transport,
} from '@signalbox/acp';
import { ClientError } from '../client-error.ts';
import type { DoorKind } from './door.ts';
import { Liveness, type LivenessLimits } from './liveness.ts';
import { isSizeRefused, LargestSent } from './size-refusal.ts';

/** The notification that cancels a request (R-CRQ). */
const CANCEL_REQUEST = '$/cancel_request';
/** Asks for a sign of life. A server that does not know it answers so, which is one too. */
const PING = '_signalbox/ping';

/** What a {@link Link} is made of. */
export interface LinkParts {
  readonly transport: Transport;
  readonly door: DoorKind;
  readonly clock: Clock;
  readonly liveness: LivenessLimits;
  readonly onRequest: PeerHandler['onRequest'];
  readonly onNotification: (message: NotificationMessage, link: Link) => void;
  readonly log: (line: string) => void;
}

/** One live connection: a peer, and the watch over it. When it is lost, another one takes its place. */
export class Link {
  readonly door: DoorKind;
  /** What the server said of itself; set by the handshake before anybody else has the link. */
  server: InitializeResponse | undefined;
  readonly #peer: Peer;
  readonly #liveness: Liveness;
  readonly #largest = new LargestSent();
  /** The size of the last message that was sent, in bytes. */
  #lastBytes = 0;
  #onLost: ((reason: Error | undefined) => void) | undefined;
  #lost: { readonly reason: Error | undefined } | undefined;
  #openCount = 0;
  #onIdle: (() => void) | undefined;
  #stopRetiring: () => void = () => undefined;

  constructor(parts: LinkParts) {
    const { transport, door, clock, liveness, onRequest, onNotification, log } = parts;
    this.door = door;
    this.#peer = new Peer(
      transport,
      {
        onRequest,
        onNotification: (message) => onNotification(message, this),
        onProblem: ({ message, cause }) =>
          log(cause instanceof Error ? `${message}: ${cause.message}` : message),
      },
      { cancelMethod: CANCEL_REQUEST, tap: (direction, frame) => this.#onFrame(direction, frame) },
    );
    this.#liveness = new Liveness({
      clock,
      limits: liveness,
      ping: () => this.#ping(),
      onDead: (error) => this.drop(error),
    });
    void this.#peer.closed.then(({ error }) => this.#end(error));
  }

  /** Whether the connection is lost or closed. */
  get isOver(): boolean {
    return this.#lost !== undefined || this.#peer.isClosed;
  }

  /** Calls `onLost` once when the connection is over, at once if it is; undefined: it ended in order. */
  watch(onLost: (reason: Error | undefined) => void): void {
    this.#onLost = onLost;
    if (this.#lost !== undefined) onLost(this.#lost.reason);
  }

  /**
   * Sends a request.
   *
   * @throws RpcError of the server; ClientError `too_large` when the connection ended for the size of this request;
   *   PeerError `closed`, `aborted` and others.
   */
  async request(
    method: string,
    params: unknown,
    options?: RequestOptions,
  ): Promise<ResponseMessage> {
    this.#openCount++;
    this.#lastBytes = 0;
    const answer = this.#peer.request(method, params, options);
    const bytes = this.#lastBytes;
    try {
      return await answer;
    } catch (error) {
      // The way out may be shut long before the end has come in. Who goes on with what is open must not find
      // this link open, or would be refused again at once, for ever.
      if (isPeerError(error, 'closed')) this.drop(error);
      if (isSizeRefused(error) && bytes === this.#largest.bytes) throw tooLarge(method, error);
      throw error;
    } finally {
      this.#openCount--;
      if (this.#openCount === 0) this.#onIdle?.();
    }
  }

  /** Sends a notification; dropped when the connection is over. */
  notify(method: string, params: unknown): void {
    void this.#peer.notify(method, params);
  }

  /** Resolves when the server has answered something. @throws PeerError when the connection ended before. */
  async proveAlive(): Promise<void> {
    try {
      await this.#peer.request(PING, {});
    } catch (error) {
      // A refusal is an answer, too.
      if (!isRpcError(error)) throw error;
    }
  }

  /** Finds out at once whether the connection still lives. */
  check(): void {
    this.#liveness.check();
  }

  /** Gives the connection up: calls under way fail as `closed`. */
  drop(reason: Error): void {
    this.#end(reason);
    void this.#peer.close();
  }

  /** Closes in order. Resolves, never rejects, when what was sent before has been written out. */
  async close(): Promise<void> {
    this.#end(undefined);
    await this.#peer.close();
  }

  /** Closes when the calls under way have ended, at the latest after `graceMs`. Resolves when it is over. */
  async retire(clock: Clock, graceMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const onDone = (): void => resolve();
      this.#onLost = onDone;
      this.#onIdle = onDone;
      this.#stopRetiring = clock.setTimer(graceMs, onDone);
      if (this.#openCount === 0 || this.isOver) onDone();
    });
    await this.close();
  }

  #onFrame(direction: 'in' | 'out', frame: Frame): void {
    if (direction === 'in') this.#liveness.heard();
    else if (typeof frame === 'string') this.#lastBytes = this.#largest.note(frame);
  }

  #ping(): void {
    // Of the end of the connection others are told.
    this.proveAlive().catch(() => undefined);
  }

  #end(reason: Error | undefined): void {
    if (this.#lost !== undefined) return;
    this.#lost = { reason };
    this.#liveness.stop();
    this.#stopRetiring();
    this.#onLost?.(reason);
  }
}

function tooLarge(method: string, cause: unknown): ClientError {
  const message = `the server closed the connection because ${method} is too large for it`;
  return new ClientError('too_large', message, { cause });
}
