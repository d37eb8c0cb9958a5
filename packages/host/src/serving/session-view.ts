import type { StoredEntry } from '@signalbox/core';

/** Why nothing more is told of a session. */
export type ViewEnd =
  /** The client has closed or left it, or is gone. */
  | 'left'
  /** The session was closed, by another client or by the host; it can be opened again. */
  | 'closed'
  /** It has stopped because its log could not be written or read; it can be opened again. */
  | 'failed';

/** How one client is told what is in a session's log. */
export interface SessionView {
  /**
   * Sends what these entries mean to the client, in order. A promise when the client is to be waited for.
   *
   * @param pass called behind each entry that is handed to the client wholly.
   * @param signal aborted when nothing more is to be sent.
   */
  deliver(
    entries: readonly StoredEntry[],
    pass: (seq: number) => void,
    signal: AbortSignal,
  ): void | Promise<void>;
  /** Nothing more will be delivered. Called once. */
  end(reason: ViewEnd): void;
}
