/** The code with which a WebSocket is closed that brought too large a message. */
const TOO_LARGE = 1009;

/** Whether a connection was closed because a message was too large. Sent again, it would end the next one too (B145). */
export function isSizeRefused(error: unknown): boolean {
  const { closeCode, cause } = error as {
    readonly closeCode?: unknown;
    readonly cause?: { readonly closeCode?: unknown } | undefined;
  };
  return closeCode === TOO_LARGE || cause?.closeCode === TOO_LARGE;
}
