import type { SocketPort } from './socket-port.ts';

/** Pings without any answer after which the other side counts as gone. */
const MISSED_MAX = 2;

/** What a {@link Heartbeat} needs of its socket. */
export type PingedSocket = Pick<SocketPort, 'heard' | 'ping'>;

/**
 * Finds out that the other side is gone although the connection looks open (R-WS-08, B148): pings it,
 * and takes anything that arrives as a sign of life.
 */
export class Heartbeat {
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #port: PingedSocket;
  readonly #isExcused: () => boolean;
  readonly #onMissed: () => void;
  #heard: number;
  #missed = 0;
  #hasPinged = false;

  /**
   * @param isExcused whether silence means nothing now, because nothing is read here or because a ping
   *   would be stuck behind other things; those have limits of their own.
   * @param onMissed called when the other side is gone; must call {@link stop}.
   */
  constructor(
    port: PingedSocket,
    pingMs: number,
    { isExcused, onMissed }: { isExcused: () => boolean; onMissed: () => void },
  ) {
    this.#port = port;
    this.#isExcused = isExcused;
    this.#onMissed = onMissed;
    this.#heard = port.heard;
    this.#timer = setInterval(() => this.#beat(), pingMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const { heard } = this.#port;
    const isSilent = heard === this.#heard && this.#hasPinged && !this.#isExcused();
    this.#missed = isSilent ? this.#missed + 1 : 0;
    this.#heard = heard;
    if (this.#missed >= MISSED_MAX) {
      this.#onMissed();
      return;
    }
    this.#port.ping?.();
    this.#hasPinged = true;
  }
}
