import { checkLimit } from '../complete-limits.ts';

/** The bounds of one WebSocket connection, on either side. Each can be set; zero is refused (B145). */
export interface WebSocketLimits {
  /** How much may wait to be sent before a sender is asked to wait, in characters. Default 256 KiB. */
  readonly highWaterBytes?: number;
  /**
   * How much may wait to be sent at all, in characters, beyond which `send` throws `queue_full`. One
   * frame is taken whatever its size when nothing else waits. Default 64 MiB.
   */
  readonly queuedBytesMax?: number;
  /** How long the other side may take nothing in while something waits for it, in ms. Default 30 s. */
  readonly stallMs?: number;
  /** How often the other side is pinged, where the socket can, in ms. Default 20 s. */
  readonly pingMs?: number;
  /** How long closing may take: writing out what waits and the closing handshake, in ms. Default 5 s. */
  readonly closeMs?: number;
}

/** What holds where nothing else is said. */
export const WEB_SOCKET_LIMITS: Required<WebSocketLimits> = {
  highWaterBytes: 256 * 1024,
  queuedBytesMax: 64 * 1024 * 1024,
  stallMs: 30_000,
  pingMs: 20_000,
  closeMs: 5000,
};

/** Largest message that is taken in, in bytes. The same on all transports (B145). */
export const FRAME_BYTES_MAX = 64 * 1024 * 1024;

/** No string is longer, so a larger message could not be handed on. */
const STRING_LENGTH_MAX = 2 ** 29 - 24;

/** @throws RangeError when the limit of a message is no whole number from 1 to 2^29 - 24. */
export function checkFrameBytesMax(value: number): void {
  checkLimit('frameBytesMax', value, STRING_LENGTH_MAX);
}
