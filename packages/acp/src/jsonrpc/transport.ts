/** A frame that was longer than the limit and was skipped. `head` is its beginning. */
export interface OversizedFrame {
  readonly kind: 'oversized';
  readonly head: string;
  readonly length: number;
}

/** A frame whose bytes are not UTF-8. `head` is its beginning with replacement characters. */
export interface UndecodableFrame {
  readonly kind: 'undecodable';
  readonly head: string;
}

/** A frame with more levels of nesting than a transport lets in. `head` is its beginning. */
export interface NestedFrame {
  readonly kind: 'nested';
  readonly head: string;
  readonly levelsMax: number;
}

/** One wire unit: the text of one JSON value without line ends, or what came instead of it. */
export type Frame = string | OversizedFrame | UndecodableFrame | NestedFrame;

/** Where a frame belongs, for transports that carry several streams over one connection. */
export interface FramePlace {
  /** Names the stream; for ACP this is the session id. */
  readonly stream: string;
  /** The receiver's place behind this frame: what it comes back with when it has lost the stream. */
  readonly cursor?: string;
  /**
   * From this frame on the stream goes on from another place than where it was, so that earlier cursors mean
   * nothing any more, and all that was sent on it before stands in front of this frame.
   */
  readonly begins?: boolean;
}

/**
 * A byte mover. It keeps whole frames in order and knows nothing of what they mean.
 *
 * Ending: `receive()` ends when the other side has ended, and throws when the transport failed; both
 * happen once. After the other side has ended, `send()` may still reach it, for as long as it reads.
 * `close()` writes out what was sent before, for a bounded time, then closes both directions: `receive()`
 * ends and `send()` throws. It never throws and may be called again.
 */
export interface Transport {
  /**
   * Sends one frame, whole and in order. Returns a promise only when the sender should wait before it
   * sends more, which never rejects; sending on without waiting is allowed up to the transport's bound.
   *
   * @param place where the frame belongs, for transports with several streams; others ignore it.
   * @throws PeerError `closed` or `queue_full`; then nothing of the frame is sent.
   */
  send(frame: string, place?: FramePlace): void | Promise<void>;
  /** The received frames, as many at a time as one read brought. May be called once. */
  receive(): AsyncIterable<readonly Frame[]>;
  close(): Promise<void>;
}
