import type { Transport } from '../jsonrpc/transport.ts';

/** A connection that a client has opened at an endpoint. */
export interface IncomingConnection<Context> {
  /** Random and unguessable, and still no credential (R-HTTP-26). */
  readonly id: string;
  readonly kind: 'websocket' | 'http';
  /** Who opened it, in the words of the endpoint's owner. */
  readonly context: Context;
  readonly transport: Transport;
}

/** What the owner of an endpoint does for one connection. */
export interface ConnectionOwner {
  /**
   * The client has lost a stream and comes back with the cursor of the last frame that it has processed.
   * Resolves when no frame with a cursor is sent for that stream any more, with a function that sends on
   * behind the cursor. Without this member a stream cannot be rewound.
   *
   * @throws StreamRefused when the cursor is malformed, foreign, or cannot be continued from.
   */
  rewind?(stream: string, cursor: string): Promise<() => void>;
}

/** Takes a connection in; called once for each, before its first frame is read. */
export type AcceptConnection<Context> = (
  connection: IncomingConnection<Context>,
) => ConnectionOwner;

/** A cursor behind which a stream cannot be continued. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
  readonly reason: 'malformed' | 'foreign' | 'gap';

  constructor(reason: StreamRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
