import { utf8Length } from '@signalbox/acp';

/** The code with which a WebSocket is closed that brought too large a message. */
const TOO_LARGE = 1009;

/** Whether a connection was closed because a message was too large. */
export function isSizeRefused(error: unknown): boolean {
  const { closeCode, cause } = error as {
    readonly closeCode?: unknown;
    readonly cause?: { readonly closeCode?: unknown } | undefined;
  };
  return closeCode === TOO_LARGE || cause?.closeCode === TOO_LARGE;
}

/**
 * The largest message that was sent over a connection. If that is closed for the size of a message, it was this one:
 * all that were let in are smaller. Sent again, it would end the next connection too (B145).
 */
export class LargestSent {
  #bytes = 0;

  /** Its size in UTF-8, as the other side counts. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes note of a message. @returns its size in bytes; of one that is not the largest it may be less. */
  note(frame: string): number {
    // A UTF-16 unit takes three bytes at most.
    if (frame.length * 3 < this.#bytes) return frame.length;
    const bytes = utf8Length(frame);
    this.#bytes = Math.max(this.#bytes, bytes);
    return bytes;
  }
}
