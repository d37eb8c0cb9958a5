import type { ClientError } from '../client-error.ts';
import type { DoorKind } from './door.ts';

/** Where the connection to the server stands. */
export type ConnectionState =
  /** An attempt is under way, the only one. Left when it succeeds or fails, and by `close`. */
  | { readonly kind: 'connecting'; readonly attempt: number; readonly door: DoorKind }
  /** The server answers. Left when the connection is lost, and by `close`. */
  | { readonly kind: 'online'; readonly door: DoorKind; readonly since: number }
  /**
   * The next attempt, number `attempt` since the last good connection, begins at `retryAt` (ms since
   * 1970). Left at that time, by `wake`, and by `close`.
   */
  | {
      readonly kind: 'waiting';
      readonly attempt: number;
      readonly retryAt: number;
      readonly reason: Error;
    }
  /** Trying again would not help, as `error` says. Never left. */
  | { readonly kind: 'failed'; readonly error: ClientError }
  /** Closed by its owner. Never left. */
  | { readonly kind: 'closed' };
