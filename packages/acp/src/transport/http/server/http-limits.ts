import { LEVELS_MAX } from '../../screen-frame.ts';

/** The bounds of an ACP endpoint over HTTP. Each can be set; meeting one gives a clear error. */
export interface AcpHttpLimits {
  /** Largest body of a POST, in bytes; the same on all transports. More is answered by 413. */
  readonly frameBytesMax: number;
  /** Levels of nesting of a message; a deeper one is answered by 400. */
  readonly levelsMax: number;
  /** Connections at the same time; more are refused with 503. */
  readonly connectionsMax: number;
  /** Session streams of one connection that nobody reads. The next one is refused with 429. */
  readonly waitingStreamsMax: number;
  /** Longest id of a session or a request, in characters; a longer one is answered by 400. */
  readonly idLengthMax: number;
  /**
   * How much waits for the reader of one stream before its sender is asked to wait, and how much of a
   * connection's own input waits before a POST is, in characters.
   */
  readonly highWaterBytes: number;
  /** How much may wait for the reader of one stream if its sender goes on all the same, in characters. */
  readonly queuedBytesMax: number;
  /** What is kept of a stream's unplaced frames after they were sent: how many, and how much, in characters. */
  readonly replayFramesMax: number;
  readonly replayBytesMax: number;
  /** How long a reader may make no progress, and a POST may wait for room, in ms. */
  readonly stallMs: number;
  /** How long a connection lives without an open stream and without a request, in ms. */
  readonly idleMs: number;
  /** How long a stream may be silent before a comment is sent, in ms. */
  readonly keepAliveMs: number;
  /** How long a poll waits for a first event, in ms. */
  readonly pollMs: number;
  /** How long a polled stream counts as open after a poll, in ms. */
  readonly pollGraceMs: number;
  /** What native event sources are told to wait before they come back, in ms. */
  readonly retryMs: number;
  /** How long the answer to `initialize` may take, in ms; then 504. */
  readonly initializeMs: number;
  /** How long a stream's owner may take to rewind, in ms; then 503. */
  readonly rewindMs: number;
  /** How long a rewound stream may stand still before the unplaced frames go ahead, in ms. */
  readonly catchUpMs: number;
  /** How long closing waits for what was sent to be written, in ms. */
  readonly flushMs: number;
}

const MIB = 1024 * 1024;

/** What holds where nothing else is given. */
export const DEFAULT_HTTP_LIMITS: AcpHttpLimits = {
  frameBytesMax: 64 * MIB,
  levelsMax: LEVELS_MAX,
  connectionsMax: 10_000,
  waitingStreamsMax: 1024,
  idLengthMax: 1024,
  highWaterBytes: 256 * 1024,
  queuedBytesMax: 64 * MIB,
  replayFramesMax: 16_384,
  replayBytesMax: 4 * MIB,
  stallMs: 30_000,
  idleMs: 300_000,
  keepAliveMs: 15_000,
  pollMs: 20_000,
  pollGraceMs: 30_000,
  retryMs: 2000,
  initializeMs: 60_000,
  rewindMs: 15_000,
  catchUpMs: 5000,
  flushMs: 5000,
};
