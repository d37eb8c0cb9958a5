import type { Frame, Transport } from '../../jsonrpc/transport.ts';
import { CloseCode, fittingReason } from './close-code.ts';
import { closedFailure, overrun, stalled, unresponsive, violation } from './connection-failures.ts';
import { FrameSender } from './frame-sender.ts';
import { Heartbeat } from './heartbeat.ts';
import { ReceivedFrames } from './received-frames.ts';
import type { SocketPort } from './socket-port.ts';
import type { WebSocketError } from './web-socket-error.ts';
import type { WebSocketLimits } from './web-socket-limits.ts';

/** What is done about a text before it is received: let in, the last one that is asked about, or none. */
export type TextVerdict = 'let_in' | 'let_all_in' | 'keep_out';

/** What else the holder of a {@link SocketConnection} may want to know. */
export interface SocketConnectionHooks {
  /** What is received instead of a text, before anything looks at it. Default: the text. */
  readonly screen?: (text: string) => Frame;
  /** Asked about each text until the answer is `let_all_in`. */
  readonly judge?: (text: string) => TextVerdict;
  /** A message that is not text was ignored (R-WS-04). */
  readonly onIgnored?: () => void;
}

/** How a connection is closed by whoever is in charge of it. */
export interface Closing {
  readonly closeCode: number;
  readonly reason: string;
}

/**
 * One WebSocket connection: what is sent and received on it, and how it ends. It ends once, whatever
 * ends it first: an ordinary close of either side, or a failure.
 */
export class SocketConnection {
  readonly transport: Transport;
  /** Resolves when the socket is gone; with the failure, if it did not end in the ordinary way. */
  readonly gone: Promise<WebSocketError | undefined>;
  readonly #port: SocketPort;
  readonly #limits: Required<WebSocketLimits>;
  readonly #received: ReceivedFrames;
  readonly #sender: FrameSender;
  readonly #screen: SocketConnectionHooks['screen'];
  #judge: SocketConnectionHooks['judge'];
  #heartbeat: Heartbeat | undefined;
  #failure: WebSocketError | undefined;
  #closing: Promise<void> | undefined;
  #closeTimer: ReturnType<typeof setTimeout> | undefined;
  #giveUpAt = Infinity;
  #isEnded = false;
  #isGone = false;
  #resolveGone!: (failure: WebSocketError | undefined) => void;

  constructor(
    port: SocketPort,
    limits: Required<WebSocketLimits>,
    hooks: SocketConnectionHooks = {},
  ) {
    this.#port = port;
    this.#limits = limits;
    this.#screen = hooks.screen;
    this.#judge = hooks.judge;
    this.gone = new Promise((resolve) => (this.#resolveGone = resolve));
    const { queuedBytesMax, stallMs } = limits;
    this.#received = new ReceivedFrames(port, queuedBytesMax, () =>
      this.fail(overrun(queuedBytesMax)),
    );
    this.#sender = new FrameSender(port, limits, () => this.fail(stalled(stallMs)));
    this.transport = {
      send: (frame) => this.#sender.send(frame),
      receive: () => this.#received.read(),
      close: () => this.close({ closeCode: CloseCode.Normal, reason: '' }),
    };
    port.listen({
      onText: (text) => this.#onText(text),
      onBinary: () => hooks.onIgnored?.(),
      onViolation: (error, closeCode) => this.fail(violation(closeCode, error)),
      onClose: (code, reason) => this.#onClose(code, reason),
    });
  }

  /** The socket is open: from now on the other side is pinged, where the socket can. */
  opened(): void {
    if (this.#port.ping === undefined || this.#isGone) return;
    this.#heartbeat = new Heartbeat(this.#port, this.#limits.pingMs, {
      isExcused: () => this.#received.isPaused || this.#sender.isWriting,
      onMissed: () => this.fail(unresponsive()),
    });
  }

  /**
   * Closes in the ordinary way: writes out what was sent before, says good-bye and waits for the other
   * side to do so. Resolves when the socket is gone, or after `graceMs`, when it is given up.
   */
  close({ closeCode, reason }: Closing, graceMs = this.#limits.closeMs): Promise<void> {
    this.#giveUpAfter(graceMs);
    this.#closing ??= this.#close(closeCode, reason);
    return this.#closing;
  }

  /**
   * Ends at once: nothing more is taken in or sent, and the owner of the transport learns of the failure.
   * The other side is told its close code and reason, and has `closeMs` to answer; without a code the
   * socket is given up.
   *
   * @param dropped whether even that is dropped which has arrived and was not taken yet.
   */
  fail(failure: WebSocketError, dropped = false): void {
    if (!this.#end(failure, dropped)) return;
    const { closeCode, reason = '' } = failure;
    if (closeCode === undefined) this.#port.terminate();
    else this.#port.close(closeCode, fittingReason(reason));
    this.#giveUpAfter(this.#limits.closeMs);
  }

  async #close(code: number, reason: string): Promise<void> {
    await this.#sender.flush();
    if (this.#end(undefined)) this.#port.close(code, fittingReason(reason));
    await this.gone;
  }

  /** Ends both directions, if nothing has yet. */
  #end(failure: WebSocketError | undefined, dropped = false): boolean {
    if (this.#isEnded) return false;
    this.#isEnded = true;
    this.#failure = failure;
    this.#heartbeat?.stop();
    this.#received.end(failure, dropped);
    this.#sender.stop(failure);
    return true;
  }

  /** Of several calls the earliest end counts. */
  #giveUpAfter(graceMs: number): void {
    const at = performance.now() + graceMs;
    if (this.#isGone || at >= this.#giveUpAt) return;
    this.#giveUpAt = at;
    clearTimeout(this.#closeTimer);
    this.#closeTimer = setTimeout(() => {
      this.#end(undefined);
      this.#port.terminate();
      this.#onGone();
    }, graceMs);
  }

  #onGone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearTimeout(this.#closeTimer);
    this.#resolveGone(this.#failure);
  }

  #onText(text: string): void {
    if (this.#isEnded) return;
    const frame = this.#screen?.(text) ?? text;
    if (this.#judge !== undefined && typeof frame === 'string') {
      const verdict = this.#judge(frame);
      if (verdict === 'keep_out') return;
      if (verdict === 'let_all_in') this.#judge = undefined;
    }
    this.#received.push(frame);
  }

  #onClose(code: number, reason: string): void {
    this.#end(closedFailure(code, reason));
    this.#onGone();
  }
}
