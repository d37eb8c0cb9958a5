/** The bounds of one JSON-RPC connection. Each can be set; meeting one gives a clear error. */
export interface RpcLimits {
  /** Largest frame in either direction, in UTF-8 bytes, which is how the other side counts (B146). */
  readonly frameBytesMax: number;
  /** Requests of the other side that may be answered at the same time; more are refused. */
  readonly incomingRequestsMax: number;
  /**
   * The length of these requests in all, in characters; one that goes beyond it is refused, unless it is the
   * only one. Each is in memory until it is answered.
   */
  readonly incomingLengthMax: number;
  /** Own requests that may wait for an answer at the same time; more fail as `queue_full`. */
  readonly pendingRequestsMax: number;
  /** Lines that are no message, kept as diagnostics: how many, and how much of each. */
  readonly noiseLinesKept: number;
  readonly noiseLengthKept: number;
  /**
   * Lines in a row that are no message before the connection is given up. A peer that only ever
   * prints something else is not a peer.
   */
  readonly noiseLinesMax: number;
}

/** What holds where nothing else is given. */
export const DEFAULT_RPC_LIMITS: RpcLimits = {
  frameBytesMax: 64 * 1024 * 1024,
  incomingRequestsMax: 1024,
  incomingLengthMax: 256 * 1024 * 1024,
  pendingRequestsMax: 65_536,
  noiseLinesKept: 20,
  noiseLengthKept: 200,
  noiseLinesMax: 100_000,
};
