/** What a socket tells whoever holds it. */
export interface SocketListener {
  onText(text: string): void;
  /** A message that is not text. ACP has none. */
  onBinary(): void;
  /** The other side broke the rules of WebSocket; the socket closes itself with this code. */
  onViolation(error: Error, closeCode: number): void;
  /** The socket is gone. Called once, also when it never opened. */
  onClose(code: number, reason: string): void;
}

/** One socket with one set of manners, whichever kind it is of. */
export interface SocketPort {
  readonly isOpen: boolean;
  /** How much was handed over and is not with the network yet, in bytes. */
  readonly bufferedBytes: number;
  /** Changes whenever something arrives. */
  readonly heard: number;
  /** The longest piece of a text that is worth handing over, in characters. */
  readonly pieceLengthMax: number;
  /** Whether {@link pause} has an effect. */
  readonly canPause: boolean;
  /** Asks the other side for a sign of life, where the socket can. */
  readonly ping: (() => void) | undefined;
  /** Calls back when all promise reactions that are due have run, or soon before. */
  defer(callback: () => void): void;
  /**
   * Sends texts in order, each as one message.
   *
   * @param isWhole whether the last one ends its message; if not, the next write goes on with it.
   * @param onWritten called later, once, when the socket has handed everything to the network.
   */
  write(texts: readonly string[], isWhole: boolean, onWritten: () => void): void;
  pause(): void;
  resume(): void;
  /** Begins the closing handshake. Does nothing when it has begun. */
  close(code: number, reason: string): void;
  /** Gives the connection up at once, as far as the socket can. */
  terminate(): void;
  /** Says who listens. Called once, before anything can arrive. */
  listen(listener: SocketListener): void;
}
